package bt.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class GcRuleTest {
    @Test
    void rulesAreMadeOfNumbersDurationsAndRules() {
        assertThat(GcRule.any(GcRule.versions(3), GcRule.every(GcRule.age(Duration.ofDays(2)))))
                .isEqualTo(new GcRule.Any(List.of(
                        new GcRule.MaxVersions(3), new GcRule.Every(List.of(new GcRule.MaxAge(172_800_000_000L))))));
        assertThatThrownBy(() -> GcRule.age(Duration.ofNanos(999))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> GcRule.any()).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> GcRule.every()).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void rulesOfRulesAreTenDeepAtMost() {
        GcRule rule = GcRule.KEEP_ALL;
        for (int i = 0; i < GcRule.MAX_DEPTH; i++) {
            rule = i % 2 == 0 ? new GcRule.Any(List.of(rule)) : new GcRule.Every(List.of(GcRule.KEEP_ALL, rule));
        }
        List<GcRule> deepest = List.of(rule);
        assertThat(deepest.get(0)).isInstanceOf(GcRule.Every.class);
        assertThatThrownBy(() -> new GcRule.Any(deepest))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a rule of rules 11 deep: 10 are allowed");
        assertThatThrownBy(() -> new GcRule.Every(deepest)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aRuleOfNoRulesIsRefusedOfEitherKind() {
        assertThatThrownBy(() -> new GcRule.Any(List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a rule of no rules: name one at least, or keep all versions");
        assertThatThrownBy(() -> new GcRule.Every(List.of())).isInstanceOf(IllegalArgumentException.class);
    }
}
