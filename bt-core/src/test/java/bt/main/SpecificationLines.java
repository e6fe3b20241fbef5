package bt.main;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.command.ExitCode;
import bt.main.CommandLines.Result;
import bt.model.Change;
import bt.model.ColumnKey;
import bt.model.ConditionalMutation;
import bt.model.Filter;
import bt.model.FilterText;
import bt.model.RowMutation;
import bt.model.Timestamps;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * What a {@code put}, {@code delete}, {@code increment} or {@code append} of a {@link Specification} asks for, through a door
 * that is not the shell's, and what the shell would print.
 */
final class SpecificationLines {
    private static final Set<String> WRITES = Set.of("put", "delete", "increment", "append");
    private static final String TIMESTAMP = "--timestamp";

    private SpecificationLines() {}

    static boolean isOne(List<String> words) {
        return WRITES.contains(words.get(0));
    }

    /** Empty where the shell refuses the line by itself, and there is nothing that anybody could ask for. */
    static Optional<Result> run(SpecificationWrites door, List<String> words) {
        ParseResult line;
        RowMutation mutation;
        Optional<ConditionalMutation> conditional;
        try {
            line = SpecificationReads.parsed(words);
            mutation = mutation(line);
            conditional = conditional(line, mutation);
        } catch (IllegalArgumentException | ParameterException refused) {
            return Optional.empty();
        }
        String table = SpecificationReads.word(line, 0);
        try {
            if (conditional.isPresent()) {
                boolean wanted = line.hasMatchedOption("--if");
                boolean applied = door.apply(table, conditional.get()) == wanted;
                return Optional.of(new Result(applied ? ExitCode.DONE : ExitCode.NOTHING_FOUND, "", ""));
            }
            long answer = door.apply(table, mutation);
            return Optional.of(new Result(ExitCode.DONE, mutation.readsRow() ? answer + "\n" : "", ""));
        } catch (BigtableException failed) {
            return Optional.of(new Result(ExitCode.of(failed), "", String.valueOf(failed.getMessage())));
        }
    }

    private static RowMutation mutation(ParseResult line) {
        List<String> words = SpecificationReads.words(line);
        Bytes row = Bytes.parse(words.get(1));
        if (row.isEmpty()) {
            throw new IllegalArgumentException("ROW is empty, as the shell says");
        }
        return new RowMutation(row, List.of(change(line, words)));
    }

    private static Change change(ParseResult line, List<String> words) {
        Optional<Long> timestamp = SpecificationReads.option(line, TIMESTAMP);
        return switch (line.commandSpec().name()) {
            case "put" ->
                new Change.SetCell(
                        ColumnKey.parse(words.get(2)),
                        timestamp.map(Timestamps::given).orElse(Change.SERVER_TIME),
                        Bytes.parse(words.get(3)));
            case "increment" ->
                new Change.Increment(
                        ColumnKey.parse(words.get(2)), words.size() > 3 ? Long.parseLong(words.get(3)) : 1);
            case "append" -> new Change.Append(ColumnKey.parse(words.get(2)), Bytes.parse(words.get(3)));
            default -> deletion(line, words);
        };
    }

    private static Change deletion(ParseResult line, List<String> words) {
        if (words.size() == 2) {
            return new Change.DeleteRow();
        }
        String part = words.get(2);
        Optional<Long> timestamp = SpecificationReads.option(line, TIMESTAMP);
        Optional<Long> oldest = SpecificationReads.option(line, "--oldest");
        Optional<Long> newest = SpecificationReads.option(line, "--newest");
        boolean ofVersions = timestamp.isPresent() || oldest.isPresent() || newest.isPresent();
        if (!part.contains(":")) {
            if (ofVersions) {
                throw new IllegalArgumentException("no column, as the shell says");
            }
            return new Change.DeleteFamily(part);
        }
        ColumnKey column = ColumnKey.parse(part);
        if (timestamp.isPresent()) {
            return new Change.DeleteVersion(column, timestamp.get());
        }
        return ofVersions
                ? new Change.DeleteVersions(column, oldest.orElse(Long.MIN_VALUE), newest.orElse(Long.MAX_VALUE))
                : new Change.DeleteColumn(column);
    }

    private static Optional<ConditionalMutation> conditional(ParseResult line, RowMutation mutation) {
        Optional<Filter> when = SpecificationReads.<String>option(line, "--if").map(FilterText::parse);
        Optional<Filter> unless =
                SpecificationReads.<String>option(line, "--unless").map(FilterText::parse);
        if (when.isPresent() && unless.isPresent()) {
            throw new IllegalArgumentException("two conditions, as the shell says");
        }
        return when.map(filter -> ConditionalMutation.when(filter, mutation))
                .or(() -> unless.map(filter -> ConditionalMutation.unless(filter, mutation)));
    }
}
