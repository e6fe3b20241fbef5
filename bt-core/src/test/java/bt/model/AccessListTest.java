package bt.model;

import static bt.model.Right.ADMIN;
import static bt.model.Right.CREATE;
import static bt.model.Right.READ;
import static bt.model.Right.SCRIPT;
import static bt.model.Right.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.Bytes;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AccessListTest {
    private static final TableSchema WEB = TableSchema.draft("web")
            .family("contents", GcRule.KEEP_ALL)
            .family("anchor", GcRule.KEEP_ALL)
            .build();

    @Test
    void aRightIsWhatTheUserHasAndWhatEverybodyHas() {
        AccessList list = AccessList.NOBODY.grant("alice", Set.of(WRITE)).grant(AccessList.EVERYBODY, Set.of(READ));
        assertThat(list.of("alice")).containsExactly(READ, WRITE);
        assertThat(list.of("bob")).containsExactly(READ);
        assertThat(list.allows("bob", WRITE)).isFalse();
        assertThat(list.revoke(AccessList.EVERYBODY, Right.OF_TABLES).of("bob")).isEmpty();
    }

    @Test
    void whoHasNoRightLeftHasNoEntry() {
        AccessList list = AccessList.NOBODY.grant("alice", Set.of(READ, WRITE));
        assertThat(list.revoke("alice", Set.of(WRITE)).users()).containsOnlyKeys("alice");
        assertThat(list.revoke("alice", Right.OF_TABLES)).isEqualTo(AccessList.NOBODY);
        assertThat(list.revoke("bob", Right.OF_TABLES)).isEqualTo(list);
    }

    @Test
    void aUserIsOneThatAHandshakeCouldName() {
        assertThatThrownBy(() -> AccessList.NOBODY.grant("", Set.of(READ))).hasMessageContaining("0 bytes");
        assertThatThrownBy(() -> AccessList.NOBODY.grant("a\nb", Set.of(READ))).hasMessageContaining("control");
        assertThat(AccessList.NOBODY.grant("x".repeat(256), Set.of(READ)).users())
                .hasSize(1);
        assertThatThrownBy(() -> AccessList.NOBODY.grant("x".repeat(257), Set.of(READ)))
                .hasMessageContaining("257 bytes");
    }

    @Test
    void aListIsBounded() {
        AccessList full = AccessList.NOBODY;
        for (int i = 0; i < AccessList.MAX_USERS; i++) {
            full = full.grant("user" + i, Set.of(READ));
        }
        AccessList last = full;
        assertThatThrownBy(() -> last.grant("one-more", Set.of(READ))).hasMessageContaining("at most 1000");
        SchemaChange change = WEB.change();
        for (int i = 0; i < TableAccess.MAX_ENTRIES / 2; i++) {
            change.grant("user" + i, Set.of(READ), Optional.of("anchor"));
            change.grant("user" + i, Set.of(READ), Optional.empty());
        }
        assertThatThrownBy(() -> change.grant("one-more", Set.of(READ), Optional.of("contents")))
                .hasMessageContaining("2001 entries");
    }

    @Test
    void aTableWithoutListsIsForEverybodyAndOneWithListsForThoseInThem() {
        assertThat(WEB.rightsOf("bob")).isSameAs(TableRights.ALL);
        TableSchema closed = WEB.change()
                .grant("alice", Set.of(READ, WRITE), Optional.empty())
                .grant("bob", Set.of(READ, SCRIPT), Optional.of("anchor"))
                .build();
        FamilySchema anchor = closed.family("anchor").orElseThrow();
        FamilySchema contents = closed.family("contents").orElseThrow();
        assertThat(closed.rightsOf("alice").allow(WRITE, contents)).isTrue();
        assertThat(closed.rightsOf("bob").allow(READ)).isFalse();
        assertThat(closed.rightsOf("bob").allow(READ, anchor)).isTrue();
        assertThat(closed.rightsOf("bob").allow(READ, contents)).isFalse();
        assertThat(closed.rightsOf("carol").allow(READ, anchor)).isFalse();
        TableSchema emptied = closed.change()
                .revoke("alice", Right.OF_TABLES, Optional.empty())
                .revoke("bob", Right.OF_TABLES, Optional.of("anchor"))
                .build();
        assertThat(emptied.access()).as("not open to everybody").contains(TableAccess.NOBODY);
    }

    @Test
    void aListGoesWithItsFamily() {
        TableSchema closed =
                WEB.change().grant("bob", Set.of(READ), Optional.of("anchor")).build();
        TableSchema without = closed.change()
                .dropFamily("anchor")
                .addFamily("anchor", GcRule.KEEP_ALL)
                .build();
        assertThat(without.rightsOf("bob").allow(READ, without.family("anchor").orElseThrow()))
                .isFalse();
        assertThat(without.access().orElseThrow().families()).isEmpty();
    }

    @Test
    void rightsAreOfWhatTheyAreGivenFor() {
        assertThatThrownBy(() -> WEB.change().grant("alice", Set.of(CREATE), Optional.empty()))
                .hasMessageContaining("create are no rights of a table: name some of read,write,script,admin");
        assertThat(Right.parse("write,read", Right.OF_TABLES)).containsExactly(READ, WRITE);
        assertThat(Right.text(Set.of(ADMIN, READ))).isEqualTo("read,admin");
        assertThatThrownBy(() -> Right.parse("read,reed", Right.OF_TABLES))
                .hasMessageContaining("\"reed\" is no right");
        assertThatThrownBy(() -> Right.parse("read,read", Right.OF_TABLES)).hasMessageContaining("said twice");
    }

    @Test
    void aFilterUsesWhatItNamesAnywhereAndItsScripts() {
        Filter script = new Filter.Script("groovy", "true", Bytes.EMPTY);
        Filter filter = new Filter.Condition(
                new Filter.Families(List.of("contents")),
                new Filter.Interleave(List.of(new Filter.Columns(List.of(ColumnKey.of("anchor", "q"))), Filter.ALL)),
                Filter.NONE);
        assertThat(FilterUse.of(filter)).isEqualTo(new FilterUse(Set.of("contents", "anchor"), false));
        assertThat(FilterUse.of(new Filter.Chain(List.of(filter, script))).runsScript())
                .isTrue();
    }
}
