package bt.yarn.submit;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import java.io.IOException;
import org.apache.hadoop.yarn.exceptions.YarnException;

/** What Hadoop throws, as one of our kinds and in one line. */
final class Refusals {
    private static final int MOST_CHARACTERS = 400;

    private Refusals() {}

    /** Something that speaks with Hadoop. */
    @FunctionalInterface
    interface Call<T> {
        T run() throws IOException, YarnException;
    }

    /** YARN answers and says no: REJECTED. It does not answer: UNAVAILABLE. */
    static <T> T translated(String subject, Call<T> call) throws BigtableException {
        try {
            return call.run();
        } catch (BigtableException ours) {
            throw ours;
        } catch (YarnException refused) {
            throw new RejectedException(subject + ": " + oneLine(refused), "see what YARN says of it, and correct that")
                    .causedBy(refused);
        } catch (IOException silent) {
            throw new UnavailableException(subject + ": " + oneLine(silent), Outcome.UNKNOWN).causedBy(silent);
        }
    }

    static String oneLine(Throwable failure) {
        return oneLine(String.valueOf(failure.getMessage()));
    }

    /** Without the stack trace that Hadoop sends along in its messages. */
    static String oneLine(String text) {
        int trace = text.indexOf("\n\tat ");
        String line = (trace < 0 ? text : text.substring(0, trace)).strip().replaceAll("\\s+", " ");
        return line.substring(0, Math.min(line.length(), MOST_CHARACTERS));
    }
}
