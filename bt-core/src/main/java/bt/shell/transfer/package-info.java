/**
 * Cells of a table in files of other systems: CSV and Avro. The page is docs/formats/export.md. The paper has no such
 * files.
 */
@NullMarked
package bt.shell.transfer;

import org.jspecify.annotations.NullMarked;
