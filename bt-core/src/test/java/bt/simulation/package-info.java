/** Whole clusters in which everything goes wrong, from a seed: the product's own code on the simulated machines of bt.testing. */
@NullMarked
package bt.simulation;

import org.jspecify.annotations.NullMarked;
