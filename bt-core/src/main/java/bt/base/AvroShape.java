package bt.base;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;

/**
 * How many fields records have, by the names of their types; a type that is not named has all that it has here. Fields are
 * only ever added at the end, so this is all that a reader has to know of the program that wrote.
 */
public record AvroShape(Map<String, Integer> fields) {
    public AvroShape {
        fields = Map.copyOf(fields);
    }

    /** So many fields for each of the types, as far as there are counts. */
    public static AvroShape of(List<Class<? extends SpecificRecord>> types, List<Integer> counts) {
        Map<String, Integer> fields = new HashMap<>();
        for (int i = 0; i < counts.size(); i++) {
            fields.put(SpecificData.get().getSchema(types.get(i)).getFullName(), counts.get(i));
        }
        return new AvroShape(fields);
    }

    /** The schema that a program had whose records had no more fields than these. */
    public Schema of(Schema schema) {
        return of(schema, new HashMap<>());
    }

    /** Types may hold themselves. */
    private Schema of(Schema schema, Map<String, Schema> made) {
        return switch (schema.getType()) {
            case RECORD -> {
                Schema known = made.get(schema.getFullName());
                yield known != null ? known : record(schema, made);
            }
            case ARRAY -> Schema.createArray(of(schema.getElementType(), made));
            case UNION ->
                Schema.createUnion(
                        schema.getTypes().stream().map(type -> of(type, made)).toList());
            default -> schema;
        };
    }

    private Schema record(Schema schema, Map<String, Schema> made) {
        Schema cut = Schema.createRecord(schema.getName(), null, schema.getNamespace(), false);
        made.put(schema.getFullName(), cut);
        int all = schema.getFields().size();
        int count = Math.min(all, fields.getOrDefault(schema.getFullName(), all));
        cut.setFields(schema.getFields().subList(0, count).stream()
                .map(field -> new Schema.Field(field, of(field.schema(), made)))
                .toList());
        return cut;
    }
}
