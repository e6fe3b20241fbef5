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
                .hasMessage("a rule of rules 11 deep, 10 are allowed: say the same with fewer of any and every");
        assertThatThrownBy(() -> new GcRule.Every(deepest)).isInstanceOf(IllegalArgumentException.class);
    }

    /** Below: the stricter of two, or of more, keeps no more than the others. */
    @Test
    void aRuleKeepsAllOfAStricterOne() {
        GcRule three = GcRule.versions(3);
        GcRule two = GcRule.versions(2);
        GcRule week = GcRule.age(Duration.ofDays(7));
        GcRule day = GcRule.age(Duration.ofDays(1));
        for (List<GcRule> looserFirst : List.of(
                List.of(GcRule.KEEP_ALL, three, two),
                List.of(GcRule.KEEP_ALL, week, day),
                List.of(GcRule.every(three, week), three, GcRule.any(three, day), GcRule.any(two, day)),
                List.of(GcRule.every(three, week), week, GcRule.any(three, week), GcRule.any(week, two)),
                List.of(GcRule.every(three, week), GcRule.every(week, two), GcRule.any(day, two)),
                List.of(GcRule.every(GcRule.KEEP_ALL, three), GcRule.KEEP_ALL),
                List.of(GcRule.every(GcRule.any(three, week), day), GcRule.any(two, week)))) {
            for (int looser = 0; looser < looserFirst.size(); looser++) {
                GcRule rule = looserFirst.get(looser);
                assertThat(looserFirst.subList(looser, looserFirst.size()))
                        .allMatch(other -> GcRule.keepsAllOf(other, rule));
            }
        }
    }

    @Test
    void aRuleThatLosesSomethingKeepsNotAll() {
        GcRule three = GcRule.versions(3);
        GcRule two = GcRule.versions(2);
        GcRule week = GcRule.age(Duration.ofDays(7));
        GcRule day = GcRule.age(Duration.ofDays(1));
        assertThat(List.of(three, week, GcRule.any(GcRule.KEEP_ALL, three), GcRule.every(three, week)))
                .noneMatch(rule -> GcRule.keepsAllOf(GcRule.KEEP_ALL, rule));
        assertThat(List.of(two, week, GcRule.any(three, week), GcRule.every(two, week)))
                .noneMatch(rule -> GcRule.keepsAllOf(three, rule));
        assertThat(List.of(day, three, GcRule.any(week, two), GcRule.every(three, day)))
                .noneMatch(rule -> GcRule.keepsAllOf(week, rule));
        assertThat(List.of(three, week, GcRule.any(three, week), GcRule.every(two, week)))
                .noneMatch(rule -> GcRule.keepsAllOf(GcRule.every(three, week), rule));
    }

    @Test
    void aRuleOfNoRulesIsRefusedOfEitherKind() {
        assertThatThrownBy(() -> new GcRule.Any(List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a rule of no rules: name one at least, or keep all versions");
        assertThatThrownBy(() -> new GcRule.Every(List.of())).isInstanceOf(IllegalArgumentException.class);
    }
}
