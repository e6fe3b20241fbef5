package bt.examples.demo;

import java.io.PrintStream;

/**
 * Shows the steps: on a terminal one line each, rewritten while the step runs; elsewhere a line when it begins, one when it
 * ends, and one for every note between. Any thread.
 */
final class Screen {
    private static final int BAR_WIDTH = 30;
    private static final int LINE_WIDTH = 100;
    private static final String CLEAR = "\r\033[K";

    private final PrintStream out;
    private final boolean terminal;

    Screen(PrintStream out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    void say(String line) {
        out.println(line);
    }

    /** Begins a step; its bar. */
    Bar begin(String step) {
        if (!terminal) {
            out.println(step + " ...");
        }
        return new StepBar(step);
    }

    void end(String step, String result, double seconds) {
        out.println((terminal ? CLEAR : "") + line(step, seconds, result));
    }

    /** A step, its time and its result, in columns. */
    static String line(String step, double seconds, String result) {
        return String.format("%-34s %6.1f s  %s", step, seconds, result);
    }

    static String bar(long done, long total) {
        int full = total <= 0 ? 0 : (int) Math.min(BAR_WIDTH, BAR_WIDTH * done / total);
        long percent = total <= 0 ? 0 : Math.min(100, 100 * done / total);
        return "[" + "#".repeat(full) + "-".repeat(BAR_WIDTH - full) + "] " + percent + " %";
    }

    private final class StepBar implements Bar {
        private final String step;
        private String bar = "";
        private String note = "";

        StepBar(String step) {
            this.step = step;
        }

        @Override
        public synchronized void at(long done, long total) {
            String now = bar(done, total);
            if (!now.equals(bar)) {
                bar = now;
                rewrite();
            }
        }

        @Override
        public synchronized void note(String text) {
            if (text.equals(note)) {
                return;
            }
            note = text;
            if (terminal) {
                rewrite();
            } else {
                out.println("  " + text);
            }
        }

        private void rewrite() {
            if (terminal) {
                String line = step + " " + bar + " " + note;
                out.print(CLEAR + line.substring(0, Math.min(LINE_WIDTH, line.length())));
                out.flush();
            }
        }
    }
}
