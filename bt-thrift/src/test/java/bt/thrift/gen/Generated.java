package bt.thrift.gen;

import bt.thrift.gen.Idl.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.apache.thrift.TBase;
import org.apache.thrift.TEnum;
import org.apache.thrift.TFieldIdEnum;
import org.apache.thrift.TFieldRequirementType;
import org.apache.thrift.meta_data.EnumMetaData;
import org.apache.thrift.meta_data.FieldMetaData;
import org.apache.thrift.meta_data.FieldValueMetaData;
import org.apache.thrift.meta_data.ListMetaData;
import org.apache.thrift.meta_data.MapMetaData;
import org.apache.thrift.meta_data.StructMetaData;
import org.apache.thrift.protocol.TType;

/** What a generated class says of itself, in the words of the interface. */
final class Generated {
    private Generated() {}

    /** In the order of their ids. */
    static List<Field> fields(Class<?> struct) throws ReflectiveOperationException {
        Map<?, ?> described = (Map<?, ?>) struct.getField("metaDataMap").get(struct);
        List<Field> fields = new ArrayList<>();
        described.forEach((key, value) -> {
            FieldMetaData field = (FieldMetaData) value;
            fields.add(new Field(
                    ((TFieldIdEnum) key).getThriftFieldId(),
                    field.requirementType == TFieldRequirementType.OPTIONAL,
                    type(field.valueMetaData),
                    field.fieldName));
        });
        fields.sort(Comparator.comparingInt(Field::id));
        return fields;
    }

    private static String type(FieldValueMetaData of) {
        if (of instanceof ListMetaData list) {
            return "list<" + type(list.elemMetaData) + ">";
        }
        if (of instanceof MapMetaData map) {
            return "map<" + type(map.keyMetaData) + "," + type(map.valueMetaData) + ">";
        }
        if (of instanceof EnumMetaData one) {
            return one.enumClass.getSimpleName();
        }
        if (of instanceof StructMetaData struct) {
            return struct.structClass.getSimpleName();
        }
        return switch (of.type) {
            case TType.BOOL -> "bool";
            case TType.I32 -> "i32";
            case TType.I64 -> "i64";
            case TType.STRING -> of.isBinary() ? "binary" : "string";
            default -> throw new AssertionError("type " + of.type);
        };
    }

    static Class<?> classOf(String name) throws ClassNotFoundException {
        return Class.forName("bt.thrift.gen." + name);
    }

    /** One of an enum's, by its number. */
    static TEnum constant(String name, int number) throws ReflectiveOperationException {
        return (TEnum) classOf(name).getMethod("findByValue", int.class).invoke(null, number);
    }

    static TBase<?, ?> make(Class<?> struct) throws ReflectiveOperationException {
        return (TBase<?, ?>) struct.getConstructor().newInstance();
    }

    static void set(TBase<?, ?> struct, int id, Object value) throws ReflectiveOperationException {
        Object field = struct.getClass().getMethod("fieldForId", int.class).invoke(struct, id);
        for (Method method : struct.getClass().getMethods()) {
            if (method.getName().equals("setFieldValue")
                    && !method.isBridge()
                    && method.getParameterTypes()[0].isInstance(field)) {
                method.invoke(struct, field, value);
                return;
            }
        }
        throw new AssertionError(struct.getClass() + " sets no " + id);
    }
}
