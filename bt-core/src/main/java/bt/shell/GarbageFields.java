package bt.shell;

import bt.command.UsageException;
import bt.model.GcRule;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A garbage-collection rule as fields of JSON: {@code {"versions":3}}, {@code {"age":"7d"}}, and of others
 * {@code {"any":[…]}} and {@code {"every":[…]}}; {@code {}}, or nothing at all, keeps every version.
 */
final class GarbageFields {
    private GarbageFields() {}

    static GcRule parse(JsonFields owner, String name) throws UsageException {
        Optional<JsonFields> rule = owner.object(name);
        return rule.isEmpty() ? GcRule.KEEP_ALL : parse(rule.get(), GcRule.MAX_DEPTH);
    }

    private static GcRule parse(JsonFields rule, int depth) throws UsageException {
        OptionalLong versions = rule.number("versions");
        Optional<String> age = rule.text("age");
        boolean isAny = rule.has("any");
        boolean isEvery = rule.has("every");
        List<JsonFields> parts = rule.objects(isAny ? "any" : "every");
        rule.end();
        int said = (versions.isPresent() ? 1 : 0) + (age.isPresent() ? 1 : 0);
        if (said + (isAny ? 1 : 0) + (isEvery ? 1 : 0) > 1) {
            throw new UsageException(
                    rule.where() + " says more than one of versions, age, any and every",
                    "join them under one of the last");
        }
        if (versions.isPresent()) {
            return new GcRule.MaxVersions((int) Math.min(Integer.MAX_VALUE, versions.getAsLong()));
        }
        if (age.isPresent()) {
            return new GcRule.MaxAge(Ages.parseMicros(age.get()));
        }
        if (isAny) {
            return new GcRule.Any(all(rule, parts, depth));
        }
        return isEvery ? new GcRule.Every(all(rule, parts, depth)) : GcRule.KEEP_ALL;
    }

    private static List<GcRule> all(JsonFields owner, List<JsonFields> rules, int depth) throws UsageException {
        if (rules.isEmpty()) {
            throw new UsageException(
                    owner.where() + " is a rule of no rules",
                    "name one at least, or leave it out to keep all versions");
        }
        if (depth == 0) {
            throw new UsageException(
                    "a rule of rules more than " + GcRule.MAX_DEPTH + " deep",
                    "say the same with fewer of any and every");
        }
        List<GcRule> parsed = new ArrayList<>();
        for (JsonFields rule : rules) {
            parsed.add(parse(rule, depth - 1));
        }
        return parsed;
    }

    /** Nothing for the rule that keeps all. */
    static void put(Map<String, Object> document, String name, GcRule rule) {
        if (!rule.equals(GcRule.KEEP_ALL)) {
            document.put(name, document(rule));
        }
    }

    private static Map<String, Object> document(GcRule rule) {
        Map<String, Object> document = new LinkedHashMap<>();
        if (rule instanceof GcRule.MaxVersions versions) {
            document.put("versions", versions.count());
        } else if (rule instanceof GcRule.MaxAge age) {
            document.put("age", Ages.format(age.micros()));
        } else if (rule instanceof GcRule.Any any) {
            document.put(
                    "any", any.rules().stream().map(GarbageFields::document).toList());
        } else if (rule instanceof GcRule.Every every) {
            document.put(
                    "every", every.rules().stream().map(GarbageFields::document).toList());
        }
        return document;
    }
}
