package bt.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class GcRuleTest {
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
