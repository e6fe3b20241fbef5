package bt.shell;

import bt.base.Bytes;
import bt.client.Table;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.command.MayBeEmpty;
import bt.command.UsageException;
import bt.model.ColumnKey;
import bt.model.Counter;
import bt.model.RowMutation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bt modify}. */
@picocli.CommandLine.Command(
        name = "modify",
        description =
                "Deletes columns of one row, adds to counters, appends to values and writes cells there, all of it in one"
                        + " step or none, and prints what each counter and each value that was appended to is then.",
        footerHeading = Command.EXAMPLES,
        footer = {
            "  bt modify webtable com.cnn.www --set anchor:www.c-span.org CNN --delete anchor:www.abc.com",
            "  bt modify webtable com.cnn.www --increment anchor:visits 1 --increment anchor:bytes 512",
            "  bt modify webtable com.cnn.www --increment anchor:visits -2 --append anchor:log ' left' --set anchor:last now"
        })
public final class ModifyCommand implements Command {
    @Parameters(index = "0", paramLabel = "TABLE")
    private String table = "";

    @Parameters(index = "1", paramLabel = "ROW")
    private String row = "";

    @Option(
            names = "--increment",
            arity = "2",
            hideParamSyntax = true,
            paramLabel = "FAMILY:QUALIFIER AMOUNT",
            description =
                    "Adds to a counter of 64 bits, which is 0 where there is none. May be repeated, as the others.")
    private List<String> increments = new ArrayList<>();

    @MayBeEmpty
    @Option(
            names = "--append",
            arity = "2",
            hideParamSyntax = true,
            paramLabel = "FAMILY:QUALIFIER VALUE",
            description = "Writes the newest value with VALUE behind it; \\xNN stands for a byte.")
    private List<String> appends = new ArrayList<>();

    @MayBeEmpty
    @Option(
            names = "--set",
            arity = "2",
            hideParamSyntax = true,
            paramLabel = "FAMILY:QUALIFIER VALUE",
            description = "Writes a cell, with the server's time.")
    private List<String> sets = new ArrayList<>();

    @Option(
            names = "--delete",
            paramLabel = "FAMILY:QUALIFIER",
            description = "Deletes all versions of a column, before anything is written to it.")
    private List<String> deletes = new ArrayList<>();

    @Override
    public Group group() {
        return Group.DATA;
    }

    @Override
    public boolean isWrite() {
        return true;
    }

    @Override
    public int run(Invocation invocation) throws Exception {
        if (increments.isEmpty() && appends.isEmpty() && sets.isEmpty() && deletes.isEmpty()) {
            throw new UsageException(
                    "nothing is to be modified",
                    "say --increment, --append, --set or --delete, each as often as you like");
        }
        RowMutation.Builder mutation = RowMutation.of(Bytes.parse(row));
        deletes.forEach(column -> mutation.deleteColumn(ColumnKey.parse(column)));
        Set<ColumnKey> counters = new HashSet<>();
        for (int i = 0; i < increments.size(); i += 2) {
            ColumnKey column = ColumnKey.parse(increments.get(i));
            counters.add(column);
            mutation.increment(column, amount(increments.get(i + 1)));
        }
        for (int i = 0; i < appends.size(); i += 2) {
            mutation.append(ColumnKey.parse(appends.get(i)), Bytes.parse(appends.get(i + 1)));
        }
        for (int i = 0; i < sets.size(); i += 2) {
            mutation.set(ColumnKey.parse(sets.get(i)), Bytes.parse(sets.get(i + 1)));
        }
        Table to = Connected.toWrite(invocation, table);
        if (increments.isEmpty() && appends.isEmpty()) {
            to.apply(mutation.build());
            return ExitCode.DONE;
        }
        Map<ColumnKey, Bytes> made = to.modify(mutation.build());
        made.forEach((column, value) -> print(invocation, column, value, counters.contains(column)));
        return ExitCode.DONE;
    }

    private static void print(Invocation invocation, ColumnKey column, Bytes value, boolean isCounter) {
        if (!invocation.json()) {
            invocation.out().println(column + "\t" + (isCounter ? "" + Counter.decode(value) : value.toString()));
            return;
        }
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("column", column.toString());
        if (isCounter) {
            document.put("sum", Counter.decode(value));
        } else {
            Json.putValue(document, value);
        }
        Json.print(invocation.out(), document);
    }

    private static long amount(String word) throws UsageException {
        try {
            return Long.parseLong(word);
        } catch (NumberFormatException wrong) {
            throw new UsageException(
                    "--increment: \"" + word + "\" is no whole number of 64 bits", "write one, of -2^63 to 2^63-1");
        }
    }
}
