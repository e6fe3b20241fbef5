package bt.examples.demo;

import java.util.Optional;

/** A process that the demo has to end: its id alone may by now be another's, with the time of its start it is not. */
record Started(String name, long pid, long startMillis) {
    static Started of(String name, ProcessHandle process) {
        return new Started(name, process.pid(), startMillis(process));
    }

    /** Empty when it has ended. */
    Optional<ProcessHandle> living() {
        return ProcessHandle.of(pid).filter(process -> process.isAlive() && startMillis(process) == startMillis);
    }

    String line() {
        return name + " " + pid + " " + startMillis;
    }

    /** Empty for a line that no {@link #line} wrote. */
    static Optional<Started> parse(String line) {
        String[] words = line.split(" ", -1);
        try {
            return words.length == 3
                    ? Optional.of(new Started(words[0], Long.parseLong(words[1]), Long.parseLong(words[2])))
                    : Optional.empty();
        } catch (NumberFormatException torn) {
            return Optional.empty();
        }
    }

    private static long startMillis(ProcessHandle process) {
        return process.info()
                .startInstant()
                .map(java.time.Instant::toEpochMilli)
                .orElse(0L);
    }
}
