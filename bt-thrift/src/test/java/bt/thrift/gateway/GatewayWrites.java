package bt.thrift.gateway;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.main.SpecificationWrites;
import bt.model.ColumnKey;
import bt.model.ConditionalMutation;
import bt.model.FilterText;
import bt.model.RowMutation;
import bt.thrift.convert.CallerSide;
import bt.thrift.gen.BigtableError;
import bt.thrift.gen.Filter;
import bt.thrift.gen.Gateway;
import bt.thrift.gen.Modified;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.thrift.TException;

/** The writes of the specification as calls of a gateway. */
record GatewayWrites(Gateway.Client calls) implements SpecificationWrites {
    @Override
    public long apply(String table, RowMutation mutation) throws BigtableException {
        return answered(() -> calls.mutate(table, CallerSide.of(mutation)));
    }

    @Override
    public boolean apply(String table, ConditionalMutation mutation) throws BigtableException {
        Filter predicate = new Filter().setText(FilterText.print(mutation.predicate()));
        return answered(() -> calls.mutateIf(table, CallerSide.of(mutation).setPredicate(predicate)));
    }

    @Override
    public Map<ColumnKey, Bytes> modify(String table, RowMutation mutation) throws BigtableException {
        Map<ColumnKey, Bytes> made = new LinkedHashMap<>();
        for (Modified each : answered(() -> calls.modify(table, CallerSide.of(mutation)))) {
            ColumnKey column = new ColumnKey(
                    each.getColumn().getFamily(), Bytes.copyOf(each.getColumn().getQualifier()));
            made.put(column, Bytes.copyOf(each.getValue()));
        }
        return made;
    }

    @Override
    public List<Optional<BigtableException>> applyAll(String table, List<RowMutation> mutations)
            throws BigtableException {
        return answered(() -> calls.mutateRows(
                        table, mutations.stream().map(CallerSide::of).toList()))
                .stream()
                .map(result -> result.isSetError() ? Optional.of(failure(result.getError())) : none())
                .toList();
    }

    private static Optional<BigtableException> none() {
        return Optional.empty();
    }

    /** What is asked of a gateway. */
    @FunctionalInterface
    private interface Call<T> {
        T answer() throws TException;
    }

    private static <T> T answered(Call<T> call) throws BigtableException {
        try {
            return call.answer();
        } catch (BigtableError error) {
            throw failure(error);
        } catch (TException broken) {
            throw new AssertionError(broken);
        }
    }

    private static BigtableException failure(BigtableError error) {
        return BigtableException.of(
                BigtableException.Kind.valueOf(error.getKind().name()),
                String.valueOf(error.getMessage()),
                BigtableException.Outcome.valueOf(error.getOutcome().name()),
                error.getRetryAfterMillis());
    }
}
