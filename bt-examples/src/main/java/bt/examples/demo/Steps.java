package bt.examples.demo;

import bt.base.Clock;
import java.util.ArrayList;
import java.util.List;

/** Runs the steps one after the other and keeps what each took and told. One thread. */
final class Steps {
    private final Screen screen;
    private final Clock clock;
    private final long began;
    private final List<Done> done = new ArrayList<>();

    Steps(Screen screen, Clock clock) {
        this.screen = screen;
        this.clock = clock;
        this.began = clock.nanos();
    }

    /** A step that is over. */
    record Done(String name, double seconds, String result) {}

    /** What a step does; what comes of it. */
    @FunctionalInterface
    interface Work<T> {
        T run(Bar bar) throws Exception;
    }

    /** Tells in a few words what came of a step. */
    @FunctionalInterface
    interface Told<T> {
        String of(T result);
    }

    <T> T run(String name, Work<T> work, Told<T> told) throws Exception {
        double start = seconds();
        Bar bar = screen.begin(name);
        String result = "failed";
        try {
            T value = work.run(bar);
            result = told.of(value);
            return value;
        } finally {
            Done step = new Done(name, seconds() - start, result);
            done.add(step);
            screen.end(step.name(), step.result(), step.seconds());
        }
    }

    List<Done> done() {
        return List.copyOf(done);
    }

    /** Since the first step could begin. */
    double seconds() {
        return (clock.nanos() - began) / 1e9;
    }
}
