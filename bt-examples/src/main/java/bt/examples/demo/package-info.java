/**
 * {@code bt demo}: the whole system on real input. Javadoc of four projects is the crawl of figure 1 of the paper; MapReduce
 * loads it and finds its anchors while a tablet server dies; every count is checked against one made without the table.
 */
@NullMarked
package bt.examples.demo;

import org.jspecify.annotations.NullMarked;
