package bt.thrift.gen;

import bt.thrift.gen.Idl.Field;
import bt.thrift.gen.Idl.Struct;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.apache.thrift.TBase;

/** Values of the types of an interface, with all fields that they can have. */
record Samples(Idl idl) {
    Object of(String type) throws ReflectiveOperationException {
        if (type.startsWith("list<")) {
            return List.of(of(type.substring(5, type.length() - 1)));
        }
        if (type.equals("map<string,i64>")) {
            return Map.of("key", 5L);
        }
        if (idl.enums().containsKey(type)) {
            int last = idl.enums().get(type).values().stream()
                    .mapToInt(Integer::intValue)
                    .max()
                    .orElseThrow();
            return Generated.constant(type, last);
        }
        Struct struct = idl.structs().get(type);
        if (struct != null) {
            // Of a union the first alone.
            List<Field> fields = struct.kind().equals("union") ? struct.fields().subList(0, 1) : struct.fields();
            return of(Generated.classOf(type), fields);
        }
        return switch (type) {
            case "bool" -> true;
            case "i32" -> 7;
            case "i64" -> 1L << 40;
            case "string" -> "text";
            case "binary" -> ByteBuffer.wrap(new byte[] {0, -1});
            default -> throw new AssertionError("what is " + type);
        };
    }

    TBase<?, ?> of(Class<?> struct, List<Field> fields) throws ReflectiveOperationException {
        TBase<?, ?> made = Generated.make(struct);
        for (Field field : fields) {
            Generated.set(made, field.id(), of(field.type()));
        }
        return made;
    }
}
