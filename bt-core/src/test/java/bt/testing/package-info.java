/** Doubles, fixtures and laws that the tests of every module share; published as bt-core's test-jar. */
@NullMarked
package bt.testing;

import org.jspecify.annotations.NullMarked;
