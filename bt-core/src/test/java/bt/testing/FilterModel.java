package bt.testing;

import static java.util.stream.Collectors.groupingBy;

import bt.base.Bytes;
import bt.model.Cell;
import bt.model.Filter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * What filters mean, said as simply as possible: a function from the cells of a row to cells. Shares no code with the
 * tablet's; regular expressions are Java's own.
 */
public final class FilterModel {
    private FilterModel() {}

    /** What the filter lets pass of these cells, which are of whole rows, in order. */
    public static List<Cell> keep(List<Cell> cells, Filter filter) {
        List<Cell> kept = new ArrayList<>();
        cells.stream()
                .collect(groupingBy(Cell::row, LinkedHashMap::new, java.util.stream.Collectors.toList()))
                .values()
                .forEach(row -> kept.addAll(apply(filter, row, row)));
        return kept;
    }

    private static List<Cell> apply(Filter filter, List<Cell> row, List<Cell> cells) {
        return switch (filter.kind()) {
            case ALL -> cells;
            case NONE -> List.of();
            case FAMILIES ->
                those(cells, cell -> ((Filter.Families) filter)
                        .names()
                        .contains(cell.column().family()));
            case COLUMNS ->
                those(cells, cell -> ((Filter.Columns) filter).columns().contains(cell.column()));
            case MATCHES -> {
                Filter.Matches matches = (Filter.Matches) filter;
                Pattern regex = Pattern.compile(latin(Bytes.utf8(matches.regex().text())), Pattern.DOTALL);
                yield those(cells, cell -> regex.matcher(latin(part(matches.part(), cell)))
                        .matches());
            }
            case WITHIN -> {
                Filter.Within within = (Filter.Within) filter;
                yield those(cells, cell -> {
                    Bytes part = part(within.part(), cell);
                    return part.compareTo(within.range().from()) >= 0
                            && within.range()
                                    .to()
                                    .map(to -> part.compareTo(to) < 0)
                                    .orElse(true);
                });
            }
            case TIMES -> {
                Filter.Times times = (Filter.Times) filter;
                yield those(cells, cell -> times.oldest() <= cell.timestamp() && cell.timestamp() <= times.newest());
            }
            case LATEST -> byVersion(cells, 0, ((Filter.Latest) filter).count());
            case SKIP_LATEST -> byVersion(cells, ((Filter.SkipLatest) filter).count(), Integer.MAX_VALUE);
            case FIRST -> cells.stream().limit(((Filter.First) filter).count()).toList();
            case SKIP_FIRST ->
                cells.stream().skip(((Filter.SkipFirst) filter).count()).toList();
            case SAMPLE -> those(cells, cell -> ((Filter.Sample) filter).holds(cell.row()));
            case KEYS ->
                cells.stream()
                        .map(cell -> new Cell(cell.row(), cell.column(), cell.timestamp(), Bytes.EMPTY, cell.label()))
                        .toList();
            case LABEL ->
                cells.stream()
                        .map(cell -> new Cell(
                                cell.row(),
                                cell.column(),
                                cell.timestamp(),
                                cell.value(),
                                ((Filter.Label) filter).label()))
                        .toList();
            case SCRIPT -> throw new IllegalArgumentException("the model runs no scripts");
            case NOT -> {
                List<Cell> passing = apply(((Filter.Not) filter).filter(), row, cells);
                yield those(cells, cell -> !passing.contains(cell));
            }
            case CHAIN -> {
                List<Cell> rest = cells;
                for (Filter part : ((Filter.Chain) filter).filters()) {
                    rest = apply(part, row, rest);
                }
                yield rest;
            }
            case INTERLEAVE -> interleaved((Filter.Interleave) filter, row, cells);
            case CONDITION -> {
                Filter.Condition condition = (Filter.Condition) filter;
                boolean holds = !apply(condition.predicate(), row, row).isEmpty();
                yield apply(holds ? condition.then() : condition.otherwise(), row, cells);
            }
        };
    }

    private static List<Cell> those(List<Cell> cells, Predicate<Cell> wanted) {
        return cells.stream().filter(wanted).toList();
    }

    private static List<Cell> byVersion(List<Cell> cells, int from, int count) {
        Map<Object, Integer> shown = new HashMap<>();
        return those(cells, cell -> {
            int version = shown.merge(cell.column(), 1, Integer::sum) - 1;
            return version >= from && version < (long) from + count;
        });
    }

    /** A cell is known by column and timestamp, whatever a branch has made of it. */
    private static List<Cell> interleaved(Filter.Interleave filter, List<Cell> row, List<Cell> cells) {
        Map<List<Object>, Cell> kept = new HashMap<>();
        for (Filter branch : filter.filters()) {
            apply(branch, row, cells).forEach(cell -> kept.putIfAbsent(List.of(cell.column(), cell.timestamp()), cell));
        }
        return cells.stream()
                .map(cell -> kept.get(List.<Object>of(cell.column(), cell.timestamp())))
                .filter(cell -> cell != null)
                .toList();
    }

    private static Bytes part(Filter.Part part, Cell cell) {
        return switch (part) {
            case ROW -> cell.row();
            case FAMILY -> Bytes.utf8(cell.column().family());
            case QUALIFIER -> cell.column().qualifier();
            case VALUE -> cell.value();
        };
    }

    private static String latin(Bytes bytes) {
        return new String(bytes.toArray(), StandardCharsets.ISO_8859_1);
    }
}
