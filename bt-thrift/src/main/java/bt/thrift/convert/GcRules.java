package bt.thrift.convert;

import static bt.thrift.convert.Given.present;
import static bt.thrift.convert.Given.valid;

import bt.base.RejectedException;
import bt.model.GcRule;
import java.util.ArrayList;
import java.util.List;

/** Garbage-collection rules. Keeping everything is an absent rule, and inside a rule the any of none. */
final class GcRules {
    private GcRules() {}

    static bt.thrift.gen.GcRule of(GcRule rule) {
        if (rule instanceof GcRule.MaxVersions versions) {
            return bt.thrift.gen.GcRule.maxVersions(versions.count());
        }
        if (rule instanceof GcRule.MaxAge age) {
            return bt.thrift.gen.GcRule.maxAgeMicros(age.micros());
        }
        if (rule instanceof GcRule.Every every) {
            return bt.thrift.gen.GcRule.every(
                    every.rules().stream().map(GcRules::of).toList());
        }
        List<GcRule> any = rule instanceof GcRule.Any several ? several.rules() : List.of();
        return bt.thrift.gen.GcRule.any(any.stream().map(GcRules::of).toList());
    }

    static GcRule of(bt.thrift.gen.GcRule rule) throws RejectedException {
        return switch (present(rule.getSetField(), "the rule inside of a garbage rule")) {
            case MAX_VERSIONS -> valid(() -> new GcRule.MaxVersions(rule.getMaxVersions()));
            case MAX_AGE_MICROS -> valid(() -> new GcRule.MaxAge(rule.getMaxAgeMicros()));
            case ANY -> {
                List<GcRule> any = all(rule.getAny());
                yield any.isEmpty() ? GcRule.KEEP_ALL : valid(() -> new GcRule.Any(any));
            }
            case EVERY -> {
                List<GcRule> every = all(rule.getEvery());
                yield valid(() -> new GcRule.Every(every));
            }
        };
    }

    private static List<GcRule> all(List<bt.thrift.gen.GcRule> rules) throws RejectedException {
        List<GcRule> converted = new ArrayList<>();
        for (bt.thrift.gen.GcRule rule : rules) {
            converted.add(of(rule));
        }
        return converted;
    }
}
