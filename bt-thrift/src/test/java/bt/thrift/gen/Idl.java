package bt.thrift.gen;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * An interface as its Thrift file says it: as much of the language as ours is written in, and a failure for anything else.
 *
 * @param enums the constants with their numbers
 * @param structs what has fields: structs, unions and exceptions
 * @param calls those of its one service
 */
record Idl(Map<String, Map<String, Integer>> enums, Map<String, Struct> structs, Map<String, Call> calls) {
    private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|//[^\n]*|#[^\n]*");
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z_][A-Za-z0-9_.]*|[0-9]+|\\S");

    /** @param kind struct, union or exception */
    record Struct(String kind, List<Field> fields) {}

    /** @param type as it is written, without blanks */
    record Field(int id, boolean isOptional, String type, String name) {}

    /** @param result void or a type */
    record Call(String result, List<Field> parameters, List<Field> failures) {}

    static Idl read(Path file) throws IOException {
        return new Reader(COMMENT.matcher(Files.readString(file)).replaceAll(" ")).all();
    }

    private static final class Reader {
        private final Deque<String> tokens;
        private final Idl idl = new Idl(new TreeMap<>(), new TreeMap<>(), new TreeMap<>());

        Reader(String text) {
            tokens = new ArrayDeque<>(
                    TOKEN.matcher(text).results().map(MatchResult::group).toList());
        }

        Idl all() {
            while (!tokens.isEmpty()) {
                String kind = tokens.remove();
                switch (kind) {
                    case "namespace" -> {
                        tokens.remove();
                        tokens.remove();
                    }
                    case "enum" -> idl.enums().put(tokens.remove(), constants());
                    case "struct", "union", "exception" ->
                        idl.structs().put(tokens.remove(), new Struct(kind, fields("{", "}")));
                    case "service" -> {
                        tokens.remove();
                        calls();
                    }
                    default -> throw new AssertionError("what is " + kind + " before " + tokens);
                }
            }
            return idl;
        }

        private Map<String, Integer> constants() {
            Map<String, Integer> constants = new TreeMap<>();
            expect("{");
            while (!skip("}")) {
                String name = tokens.remove();
                expect("=");
                constants.put(name, Integer.valueOf(tokens.remove()));
                skip(",");
            }
            return constants;
        }

        private List<Field> fields(String begin, String end) {
            List<Field> fields = new ArrayList<>();
            expect(begin);
            while (!skip(end)) {
                int id = Integer.parseInt(tokens.remove());
                expect(":");
                boolean isOptional = skip("optional");
                fields.add(new Field(id, isOptional, type(), tokens.remove()));
                skip(",");
            }
            return fields;
        }

        private void calls() {
            expect("{");
            while (!skip("}")) {
                String result = type();
                String name = tokens.remove();
                List<Field> parameters = fields("(", ")");
                List<Field> failures = skip("throws") ? fields("(", ")") : List.of();
                idl.calls().put(name, new Call(result, parameters, failures));
                skip(",");
            }
        }

        private String type() {
            StringBuilder type = new StringBuilder(tokens.remove());
            if (skip("<")) {
                type.append('<').append(type());
                while (skip(",")) {
                    type.append(',').append(type());
                }
                expect(">");
                type.append('>');
            }
            return type.toString();
        }

        private boolean skip(String token) {
            return token.equals(tokens.peek()) && tokens.remove().equals(token);
        }

        private void expect(String token) {
            if (!skip(token)) {
                throw new AssertionError("no " + token + " before " + tokens);
            }
        }
    }
}
