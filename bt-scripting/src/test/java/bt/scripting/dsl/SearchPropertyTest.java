package bt.scripting.dsl;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Clock;
import bt.script.ScriptBudget;
import bt.testing.SeededTest;
import java.util.random.RandomGenerator;

class SearchPropertyTest {
    @SeededTest(runs = 500)
    void findsWhatTheJdkFinds(RandomGenerator random) {
        Meter meter = new Meter(ScriptBudget.DEFAULT, Clock.system(), () -> 0);
        meter.begin(0);
        String text = letters(random, random.nextInt(300));
        int at = random.nextInt(text.length() + 1);
        String part = random.nextBoolean()
                ? letters(random, random.nextInt(30))
                : text.substring(at, Math.min(text.length(), at + random.nextInt(60)));
        int from = random.nextInt(text.length() + 1);

        assertThat(Search.indexOf(meter, text, part, from)).isEqualTo(text.indexOf(part, from));
    }

    private static String letters(RandomGenerator random, int length) {
        int kinds = random.nextInt(1, 3);
        return random.ints(length, 'a', 'a' + kinds)
                .collect(StringBuilder::new, (b, c) -> b.append((char) c), StringBuilder::append)
                .toString();
    }
}
