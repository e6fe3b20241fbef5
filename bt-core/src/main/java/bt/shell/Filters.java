package bt.shell;

import bt.command.UsageException;
import bt.model.Filter;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Puts together what a command line asks of the cells it reads. */
final class Filters {
    private Filters() {}

    /**
     * First the columns, then the versions, then the script: a script sees what would be printed without it, and never
     * brings an older version to light by refusing the newest.
     */
    static Filter of(Optional<Filter> columns, int versions, Optional<Filter> script) throws UsageException {
        if (versions < 1) {
            throw new UsageException("--versions " + versions + ": ask for at least one");
        }
        List<Filter> parts = Stream.of(columns, Optional.<Filter>of(new Filter.Latest(versions)), script)
                .flatMap(Optional::stream)
                .toList();
        return Filter.chain(parts);
    }
}
