/**
 * What every other package stands on: byte strings and their coding, checksums, time, threads, the five kinds of error,
 * counters. Imports nothing of ours.
 */
@NullMarked
package bt.base;

import org.jspecify.annotations.NullMarked;
