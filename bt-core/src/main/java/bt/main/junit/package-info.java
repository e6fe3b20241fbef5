/** A cluster in one JVM as an extension of JUnit 5, for the tests of applications. */
@NullMarked
package bt.main.junit;

import org.jspecify.annotations.NullMarked;
