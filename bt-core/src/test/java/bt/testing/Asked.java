package bt.testing;

import java.util.OptionalLong;
import java.util.Properties;

/**
 * Numbers that whoever starts the tests asks for with {@code -Dname=N}. One that cannot be read fails what is asked: a default
 * in its place would look like an answer.
 */
public record Asked(Properties properties) {
    /** Of this JVM. */
    public static Asked ofJvm() {
        return new Asked(System.getProperties());
    }

    /** Empty where nobody asks; an {@link IllegalArgumentException} in one line for what is no whole number. */
    public OptionalLong number(String name) {
        return number(name, Long.MIN_VALUE, Long.MAX_VALUE);
    }

    /** The same, and for what is less than the least or more than the most. */
    public OptionalLong number(String name, long least, long most) {
        String said = properties.getProperty(name);
        if (said == null) {
            return OptionalLong.empty();
        }
        long number;
        try {
            number = Long.parseLong(said);
        } catch (NumberFormatException unreadable) {
            throw new IllegalArgumentException("-D" + name + "=" + said + " is not a whole number", unreadable);
        }
        if (number < least) {
            throw new IllegalArgumentException("-D" + name + "=" + said + " is less than " + least);
        }
        if (number > most) {
            throw new IllegalArgumentException("-D" + name + "=" + said + " is more than " + most);
        }
        return OptionalLong.of(number);
    }
}
