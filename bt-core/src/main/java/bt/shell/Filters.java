package bt.shell;

import bt.command.Invocation;
import bt.command.UsageException;
import bt.model.Filter;
import java.util.Optional;
import java.util.stream.Stream;

/** Puts together what a command line asks of the cells it reads. */
final class Filters {
    private Filters() {}

    /**
     * First the columns, then the filter, then the time and the versions, then the script: a script sees what would be printed without
     * it, and never brings an older version to light by refusing the newest.
     */
    static Filter of(Optional<Filter> columns, FilterOption option, Optional<Filter> script, Invocation invocation)
            throws UsageException {
        return Filter.chain(Stream.of(columns, option.filter(invocation), option.times(), option.latest(), script)
                .flatMap(Optional::stream)
                .toList());
    }
}
