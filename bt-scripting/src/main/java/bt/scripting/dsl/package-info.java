/**
 * The words that a script sees. A compiled script can call the public static methods of this package and nothing else,
 * so each of them must be safe with any argument, must tell the {@link bt.scripting.dsl.Meter} what it costs, and may
 * read and change nothing but the values it is given.
 */
@NullMarked
package bt.scripting.dsl;

import org.jspecify.annotations.NullMarked;
