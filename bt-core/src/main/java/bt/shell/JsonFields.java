package bt.shell;

import bt.command.UsageException;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * An object of a JSON document that somebody wrote. Every field is asked for by its name; one of another type is refused,
 * and in the end one that nobody asked for, each with its place in the document. One thread.
 */
final class JsonFields {
    private final String where;
    private final JsonNode node;
    private final Set<String> known = new HashSet<>();

    /** {@code where} it stands begins every complaint. */
    JsonFields(String where, JsonNode node) throws UsageException {
        if (!node.isObject()) {
            throw new UsageException(where + ": an object in braces belongs here, not " + brief(node), "write one");
        }
        this.where = where;
        this.node = node;
    }

    String where() {
        return where;
    }

    Optional<String> text(String name) throws UsageException {
        Optional<JsonNode> found = find(name);
        if (found.isPresent() && !found.get().isTextual()) {
            throw wrong(name, found.get(), "a text in quotes");
        }
        return found.map(JsonNode::textValue);
    }

    String neededText(String name) throws UsageException {
        return text(name).orElseThrow(() -> new UsageException(where + " has no \"" + name + "\"", "add it"));
    }

    /** Not negative. */
    OptionalLong number(String name) throws UsageException {
        Optional<JsonNode> found = find(name);
        if (found.isEmpty()) {
            return OptionalLong.empty();
        }
        if (!found.get().isIntegralNumber()
                || !found.get().canConvertToLong()
                || found.get().longValue() < 0) {
            throw wrong(name, found.get(), "a whole number, 0 or more,");
        }
        return OptionalLong.of(found.get().longValue());
    }

    boolean flag(String name) throws UsageException {
        Optional<JsonNode> found = find(name);
        if (found.isPresent() && !found.get().isBoolean()) {
            throw wrong(name, found.get(), "true or false");
        }
        return found.isPresent() && found.get().booleanValue();
    }

    Optional<JsonFields> object(String name) throws UsageException {
        Optional<JsonNode> found = find(name);
        return found.isPresent() ? Optional.of(new JsonFields(where + "." + name, found.get())) : Optional.empty();
    }

    boolean has(String name) {
        return find(name).isPresent();
    }

    /** Empty where the field is absent. */
    List<JsonFields> objects(String name) throws UsageException {
        Optional<JsonNode> found = find(name);
        List<JsonFields> objects = new ArrayList<>();
        if (found.isPresent()) {
            if (!found.get().isArray()) {
                throw wrong(name, found.get(), "a list in brackets");
            }
            for (JsonNode element : found.get()) {
                objects.add(new JsonFields(where + "." + name + "[" + objects.size() + "]", element));
            }
        }
        return objects;
    }

    /** Nothing else may stand there: a misspelt field would be as good as absent. */
    void end() throws UsageException {
        for (String name : (Iterable<String>) node::fieldNames) {
            if (!known.contains(name)) {
                throw new UsageException(
                        where + ": \"" + name + "\" is not known here", "leave it out, or correct its name");
            }
        }
    }

    private Optional<JsonNode> find(String name) {
        known.add(name);
        return Optional.ofNullable(node.get(name)).filter(found -> !found.isNull());
    }

    private UsageException wrong(String name, JsonNode found, String wanted) {
        return new UsageException(
                where + "." + name + ": " + wanted + " belongs here, not " + brief(found), "correct it");
    }

    private static String brief(JsonNode found) {
        String text = found.toString();
        return text.length() <= 40 ? text : text.substring(0, 40) + "…";
    }
}
