package bt.simulation;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The process that lives with a mutant, from one seed after the other, until the simulator finds it. */
public final class MutantLife {
    /** The line that is for the campaign: who, and from which seed. */
    static final Pattern CAUGHT = Pattern.compile("(caught by .*), seed (\\d+)");

    private static final Pattern CHECKER = Pattern.compile("anomalies\\s+([a-z ]+): row");

    private MutantLife() {}

    /** The mutant's number, and the seeds to try at most: the first and the last. */
    public static void main(String[] arguments) {
        Script script = Mutants.ALL.get(Integer.parseInt(arguments[0])).script();
        for (long seed = Long.parseLong(arguments[1]); seed <= Long.parseLong(arguments[2]); seed++) {
            try {
                Life.Lived unused = Life.live(seed, script);
            } catch (AssertionError | RuntimeException wrong) {
                System.out.println("caught by " + checker(wrong) + ", seed " + seed);
                return;
            }
        }
    }

    private static String checker(Throwable wrong) {
        String message = String.valueOf(wrong.getMessage());
        Matcher anomaly = CHECKER.matcher(message);
        if (anomaly.find()) {
            return anomaly.group(1);
        }
        if (message.contains("what the doctor")) {
            return "doctor";
        }
        return message.contains("did not recover") || message.contains("are not served")
                ? "recovery"
                : "a check of ours: " + message.lines().findFirst().orElse("");
    }
}
