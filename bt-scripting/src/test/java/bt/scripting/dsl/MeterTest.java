package bt.scripting.dsl;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.Clock;
import bt.script.ScriptBudget;
import org.junit.jupiter.api.Test;

class MeterTest {
    private long nanos;
    private long processorNanos;

    private final Meter meter = new Meter(
            new ScriptBudget(1_000_000, 1000),
            new Clock() {
                @Override
                public long micros() {
                    return nanos / 1000;
                }

                @Override
                public long nanos() {
                    return nanos;
                }
            },
            () -> processorNanos);

    @Test
    void aScriptIsStoppedWhenItsTimeIsUp() {
        meter.begin(0);
        nanos = 1_000_001;
        processorNanos = 1_000_001;

        assertThatThrownBy(this::loop).isInstanceOf(ScriptFailure.class).hasMessageContaining("more than 1 ms");
    }

    @Test
    void aThreadThatOnlyWaitedForAProcessorGoesOn() {
        meter.begin(0);
        nanos = 10_000_000;
        processorNanos = 999_999;

        assertThatCode(this::loop).doesNotThrowAnyException();
    }

    @Test
    void timeBetweenCellsIsNotTheScripts() {
        meter.begin(0);
        meter.end();
        nanos = 10_000_000;
        processorNanos = 10_000_000;
        meter.begin(0);

        assertThatCode(this::loop).doesNotThrowAnyException();
    }

    @Test
    void timeOfBusyCellsAddsUpOverAPage() {
        for (int i = 0; i < 2; i++) {
            meter.begin(0);
            loop();
            nanos += 600_000;
            processorNanos += 600_000;
            meter.end();
        }
        meter.begin(0);

        assertThatThrownBy(this::loop).isInstanceOf(ScriptFailure.class);
    }

    @Test
    void timeOfManyShortCellsAddsUpOverAPage() {
        for (int i = 0; i < 32; i++) {
            meter.begin(0);
            nanos += 40_000;
            processorNanos += 40_000;
            meter.end();
        }
        meter.begin(0);

        assertThatThrownBy(this::loop).isInstanceOf(ScriptFailure.class);
    }

    @Test
    void memoryAddsUpOverTheCellsOfAPage() {
        for (int i = 0; i < 10; i++) {
            meter.begin(0);
            meter.make(100);
            meter.end();
        }
        meter.begin(0);

        assertThatThrownBy(() -> meter.make(1))
                .isInstanceOf(ScriptFailure.class)
                .hasMessageContaining("more than 1000 bytes of memory for one page");
    }

    private void loop() {
        for (int i = 0; i < 2000; i++) {
            Meter.step(meter);
        }
    }
}
