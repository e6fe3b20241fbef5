package bt.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.command.UsageException;
import bt.model.AccessList;
import bt.model.Bloom;
import bt.model.GcRule;
import bt.model.LocalityGroup;
import bt.model.Quotas;
import bt.model.Right;
import bt.model.TableAccess;
import bt.model.TableSchema;
import bt.model.TableSchema.Durability;
import bt.model.Timestamps;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SchemaFileTest {
    private static final Pattern BLOCK = Pattern.compile("```json\n(.*?)```", Pattern.DOTALL);

    private static final TableSchema OF_THE_PAGE = TableSchema.draft("webtable")
            .durability(Durability.FLUSH)
            .family("contents", "pages", new GcRule.MaxVersions(3))
            .family(
                    "anchor",
                    new GcRule.Any(List.of(
                            new GcRule.MaxAge(365L * 86_400_000_000L),
                            new GcRule.Every(
                                    List.of(new GcRule.MaxVersions(1), new GcRule.MaxAge(7L * 86_400_000_000L))))))
            .family("language", GcRule.KEEP_ALL)
            .purge("anchor", 86_400_000_000L)
            .timestamps("language", Timestamps.SERVER)
            .group(new LocalityGroup("pages", 128 << 10, "zstd", false, Bloom.ROW_AND_COLUMN))
            .quotas(Quotas.NONE
                    .table(OptionalLong.of(10_737_418_240L))
                    .eachUser(OptionalLong.of(1_073_741_824L))
                    .user("crawler", OptionalLong.of(5_368_709_120L)))
            .build()
            .with(Optional.of(new TableAccess(
                    AccessList.NOBODY.grant("alice", Set.of(Right.READ, Right.WRITE)),
                    new TreeMap<>(Map.of(3, AccessList.NOBODY.grant("*", Set.of(Right.READ)))))));

    @Test
    void thePageIsReadAsItSays() throws Exception {
        Matcher block = BLOCK.matcher(Files.readString(Path.of("../docs/formats/schema-file.md")));
        assertThat(block.find()).isTrue();
        assertThat(SchemaFile.parse(block.group(1))).isEqualTo(OF_THE_PAGE);
    }

    @Test
    void whatIsShownIsReadBack() throws Exception {
        TableSchema plain = TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();
        TableSchema closed = plain.with(Optional.of(TableAccess.NOBODY));
        for (TableSchema schema : List.of(OF_THE_PAGE, plain, closed)) {
            String shown = new ObjectMapper().writeValueAsString(SchemaFile.document(schema));
            assertThat(SchemaFile.parse(shown)).isEqualTo(schema);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"families\":[]}                                              | schema has no \"table\"",
                "[]                                                             | an object in braces belongs here, not []",
                "{\"table\":\"t\",\"famlies\":[]}                               | schema: \"famlies\" is not known here",
                "{\"table\":7}                                                  | schema.table: a text in quotes belongs here, not 7",
                "{\"table\":\"t\",\"durability\":\"never\"}                     | \"never\" is none of sync, flush",
                "{\"table\":\"t\",\"families\":[{\"family\":\"f\",\"garbage\":{\"versions\":\"3\"}}]} | schema.families[0].garbage.versions: a whole number",
                "{\"table\":\"t\",\"families\":[{\"family\":\"f\",\"garbage\":{\"versions\":3,\"age\":\"7d\"}}]} | more than one of versions, age, any and every",
                "{\"table\":\"t\",\"families\":[{\"family\":\"f\",\"garbage\":{\"age\":\"soon\"}}]} | \"soon\" is no age",
                "{\"table\":\"t\",\"families\":[{\"family\":\"f\",\"garbage\":{\"any\":[]}}]} | schema.families[0].garbage is a rule of no rules",
                "{\"table\":\"t\",\"families\":[{\"family\":\"f\",\"garbage\":{\"any\":[{\"every\":[]}]}}]} | schema.families[0].garbage.any[0] is a rule of no rules",
                "{\"table\":\"t\",\"families\":[{\"family\":\"f\",\"garbage\":{\"any\":[],\"every\":[]}}]} | more than one of versions, age, any and every",
                "{\"table\":\"t\",\"rights\":[{\"user\":\"a\",\"rights\":\"reed\"}]} | schema.rights[0]: \"reed\" is no right",
                "{\"table\":\"t\",\"rights\":[{\"user\":\"a\",\"rights\":\"create\"}]} | schema.rights[0]: \"create\" is no right",
                "{\"table\":\"t\",\"rights\":[{\"user\":\"a\",\"rights\":\"read\"},{\"user\":\"a\",\"rights\":\"write\"}]} | schema.rights[1]: a is named twice",
                "{\"table\":\"t\",\"families\":[{\"family\":\"f\",\"rights\":[{\"user\":\"a\"}]}]} | schema.families[0].rights[0] has no \"rights\"",
                "{\"table\":\"t\",\"table\":\"u\"}                              | line 1, column 21: Duplicate field",
                "{\"table\":                                                    | line 1, column",
                "{\"table\":\"t\"} {}                                           | line 1, column",
            })
    void whatIsWrongIsToldWithItsPlace(String json, String told) {
        assertThatThrownBy(() -> SchemaFile.parse(json))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining(told);
    }

    @Test
    void aRuleOfRulesWithoutEndIsRefused() {
        String deep = "{\"any\":[".repeat(200) + "{}" + "]}".repeat(200);
        assertThatThrownBy(() -> SchemaFile.parse(
                        "{\"table\":\"t\",\"families\":[{\"family\":\"f\",\"garbage\":" + deep + "}]}"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("10 deep");
    }
}
