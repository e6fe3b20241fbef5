/** Chubby's role (section 4 of the paper), as a port: small files, locks that die with their session, watches. */
@NullMarked
package bt.coord;

import org.jspecify.annotations.NullMarked;
