package bt.command;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a word of a command that means something when it is empty, such as a cell's value. Any other empty word is
 * REJECTED before the command runs: it comes of a variable that is not set, and without it a command may do more than was
 * meant.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface MayBeEmpty {}
