/**
 * The client library (sections 3 and 5.1 of the paper): tables, mutations, scanners, batches and administration. Nothing
 * here is told to the application by null or by text: what may go wrong is a {@link bt.base.BigtableException} of five
 * kinds, and what is UNAVAILABLE or OVERLOADED has been retried for a minute, or what
 * {@link bt.client.ClientOptions} say, before it is thrown.
 */
@NullMarked
package bt.client;

import org.jspecify.annotations.NullMarked;
