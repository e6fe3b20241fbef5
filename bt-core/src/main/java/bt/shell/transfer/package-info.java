/** Cells of a table in files of other systems: CSV and Avro. The page is docs/formats/export.md. */
@NullMarked
package bt.shell.transfer;

import org.jspecify.annotations.NullMarked;
