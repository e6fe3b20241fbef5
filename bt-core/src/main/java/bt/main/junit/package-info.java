/** A cluster in one JVM as an extension of JUnit 5, for the tests of applications. The paper has no such thing. */
@NullMarked
package bt.main.junit;

import org.jspecify.annotations.NullMarked;
