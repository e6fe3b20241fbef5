package bt.shell;

import bt.command.UsageException;
import bt.model.Quotas;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Quotas in words: {@code 10g} or {@code none} for a table, {@code alice=1g} for a user, {@code *=1g} for every other. */
final class QuotaText {
    static final String SIZE = "SIZE|none";
    static final String OF_USER = "USER=SIZE|none";

    private static final Pattern BYTES = Pattern.compile("([0-9]{1,12})([kmgt]?)");
    private static final String UNITS = "kmgt";
    private static final String EVERY_OTHER = "*";

    private QuotaText() {}

    static UnaryOperator<Quotas> table(String text) throws UsageException {
        OptionalLong bytes = bytes(text);
        return quotas -> quotas.table(bytes);
    }

    static UnaryOperator<Quotas> user(String text) throws UsageException {
        int equals = text.lastIndexOf('=');
        if (equals <= 0) {
            throw new UsageException(
                    "\"" + text + "\" is no quota of a user",
                    "write " + OF_USER + ", as in alice=1g, or *=1g for every user without one");
        }
        String user = text.substring(0, equals);
        OptionalLong bytes = bytes(text.substring(equals + 1));
        return quotas -> user.equals(EVERY_OTHER) ? quotas.eachUser(bytes) : quotas.user(user, bytes);
    }

    private static OptionalLong bytes(String text) throws UsageException {
        if (text.equals("none")) {
            return OptionalLong.empty();
        }
        Matcher size = BYTES.matcher(text);
        if (!size.matches()) {
            throw new UsageException(
                    "\"" + text + "\" is no quota", "write bytes with k, m, g or t, as in 10g, or none for no bound");
        }
        int shift = size.group(2).isEmpty() ? 0 : 10 * (UNITS.indexOf(size.group(2)) + 1);
        long number = Long.parseLong(size.group(1));
        if (number > Long.MAX_VALUE >> shift) {
            throw new UsageException(
                    "\"" + text + "\" is more than a table can take", "write less, or none for no bound");
        }
        return OptionalLong.of(number << shift);
    }
}
