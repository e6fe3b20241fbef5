package bt.thrift.gen;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.thrift.meta_data.FieldMetaData;
import org.junit.jupiter.api.Test;

/** The Python of docs/thrift.md, which no build runs, calls what there is, with fields and constants that there are. */
class PythonPageTest {
    private static final Path PAGE = Path.of("../docs/thrift.md");
    private static final Pattern BLOCK = Pattern.compile("```python\n(.*?)```", Pattern.DOTALL);
    private static final Pattern TEXT = Pattern.compile("b?\"[^\"\n]*\"|#[^\n]*");
    private static final Pattern IMPORT = Pattern.compile("from bt\\.ttypes import (.*)");
    private static final Pattern CALL = Pattern.compile("\\bbigtable\\.(\\w+)\\(");
    private static final Pattern CONSTANT = Pattern.compile("\\b([A-Z]\\w*)\\.([A-Z_]+)\\b");

    /** A name before a parenthesis, a parenthesis or bracket of any kind, or a name before an equals sign. */
    private static final Pattern STEP = Pattern.compile("([A-Za-z_.]+)\\(|[(\\[{]|[)\\]}]|([A-Za-z_]\\w*)=(?!=)");

    /** Of Python's own library of Thrift. */
    private static final Set<String> FOREIGN = Set.of("TCompactProtocol", "TSocket", "TFramedTransport");

    @Test
    void namesWhatTheInterfaceHas() throws Exception {
        int calls = 0;
        int fields = 0;
        for (String block : blocks()) {
            for (MatchResult each : CALL.matcher(block).results().toList()) {
                assertThat(calls()).contains(each.group(1));
                calls++;
            }
            for (MatchResult each : IMPORT.matcher(block).results().toList()) {
                for (String name : each.group(1).split(", ", -1)) {
                    assertThat(type(name)).as(name).isNotNull();
                }
            }
            for (MatchResult each : CONSTANT.matcher(block).results().toList()) {
                assertThat(type(each.group(1)).getField(each.group(2)).isEnumConstant())
                        .isTrue();
            }
            for (Field field : fields(block)) {
                assertThat(fieldsOf(field.type())).as(field.type()).contains(field.name());
                fields++;
            }
        }
        assertThat(calls).isGreaterThan(10);
        assertThat(fields).isGreaterThan(20);
    }

    /** That is named where a value of the type is made. */
    private record Field(String type, String name) {}

    private static List<String> blocks() throws IOException {
        return BLOCK.matcher(Files.readString(PAGE))
                .results()
                .map(block -> TEXT.matcher(block.group(1)).replaceAll("\"\""))
                .toList();
    }

    private static Set<String> calls() {
        return Stream.of(Gateway.Iface.class.getMethods()).map(Method::getName).collect(Collectors.toSet());
    }

    private static List<Field> fields(String block) {
        List<Field> fields = new ArrayList<>();
        Deque<String> open = new ArrayDeque<>();
        for (MatchResult step : STEP.matcher(block).results().toList()) {
            String name = step.group(2);
            if (name != null) {
                if (!open.isEmpty() && isType(open.peek())) {
                    fields.add(new Field(open.peek(), name));
                }
            } else if (")]}".contains(step.group())) {
                open.pop();
            } else {
                open.push(step.group(1) == null ? "" : step.group(1));
            }
        }
        assertThat(open).as(block).isEmpty();
        return fields;
    }

    private static boolean isType(String name) {
        return !name.isEmpty()
                && Character.isUpperCase(name.charAt(0))
                && !FOREIGN.contains(name)
                && !name.contains(".");
    }

    private static Class<?> type(String name) throws ClassNotFoundException {
        return Class.forName("bt.thrift.gen." + name);
    }

    private static Set<String> fieldsOf(String type) throws ReflectiveOperationException {
        Map<?, ?> fields = (Map<?, ?>) type(type).getField("metaDataMap").get(null);
        return fields.values().stream()
                .map(field -> ((FieldMetaData) field).fieldName)
                .collect(Collectors.toSet());
    }
}
