package bt.master;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.metadata.MetadataKeys;
import bt.metadata.MetadataSchema;
import bt.model.TableSchema;
import bt.model.TabletId;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MetadataPartTest {
    private static final Bytes IN_WEB = MetadataKeys.of(new TabletId(4, Optional.of(Bytes.utf8("com.m"))));
    private static final Bytes IN_LINKS = MetadataKeys.of(new TabletId(7, Optional.of(Bytes.hex("00ff"))));
    private static final Bytes END_OF_WEB = MetadataKeys.of(new TabletId(4, Optional.empty()));

    @Test
    void aPartIsToldByTheTablesAndRowsAtItsEdges() {
        assertThat(between(IN_WEB, part(IN_LINKS)))
                .isEqualTo("the part of METADATA from row com.m of table web to row \\x00\\xff of table links");
        assertThat(between(END_OF_WEB, MetadataSchema.LAST))
                .isEqualTo("the part of METADATA from the end of table web to the last table");
        assertThat(between(MetadataSchema.ROOT.endRow().orElseThrow(), part(END_OF_WEB)))
                .isEqualTo("the part of METADATA from the first table to the end of table web");
        assertThat(MetadataPart.upTo(part(IN_WEB), MetadataPartTest::name))
                .isEqualTo("the part of METADATA up to row com.m of table web");
        assertThat(MetadataPart.upTo(MetadataSchema.LAST, MetadataPartTest::name))
                .isEqualTo("the part of METADATA up to the last table");
    }

    @Test
    void theRootTabletHasANameOfItsOwn() {
        assertThat(MetadataPart.upTo(MetadataSchema.ROOT, MetadataPartTest::name))
                .isEqualTo("the root tablet");
        assertThat(MetadataPart.between(Optional.empty(), MetadataSchema.ROOT, MetadataPartTest::name))
                .isEqualTo("the root tablet");
    }

    @Test
    void anEdgeThatIsNoKeyOfATabletIsShownAsItIs() {
        assertThat(MetadataPart.upTo(part(Bytes.utf8("any")), MetadataPartTest::name))
                .isEqualTo("the part of METADATA up to key any");
    }

    private static String between(Bytes previousEndRow, TabletId tablet) {
        return MetadataPart.between(Optional.of(previousEndRow), tablet, MetadataPartTest::name);
    }

    private static String name(long tableId) {
        return tableId == 4 ? "web" : "links";
    }

    private static TabletId part(Bytes end) {
        return new TabletId(TableSchema.METADATA_ID, Optional.of(end));
    }
}
