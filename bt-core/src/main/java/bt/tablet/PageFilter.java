package bt.tablet;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Input;
import bt.base.Output;
import bt.base.RejectedException;
import bt.base.Slice;
import bt.model.ColumnKey;
import bt.model.Filter;
import bt.model.Filter.Part;
import bt.model.Regex;
import bt.script.CompiledScript.CellScript;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A {@link Filter} at work on the cells of one page. One thread. */
final class PageFilter {
    private static final CellFilter KEEP = cell -> Verdict.KEEP;
    private static final CellFilter DROP_ROW = cell -> Verdict.DROP_ROW;

    /** What most reads have, and none should pay for: it counts nothing, so all may share it. */
    private static final PageFilter ALL = new PageFilter(KEEP, new RowCounts(), List.of(), null);

    private final CellFilter root;
    private final RowCounts counts;
    private final List<VersionCount> versionCounts;
    private final @Nullable RowProbe probe;

    private PageFilter(CellFilter root, RowCounts counts, List<VersionCount> versionCounts, @Nullable RowProbe probe) {
        this.root = root;
        this.counts = counts;
        this.versionCounts = versionCounts;
        this.probe = probe;
    }

    /** For a page of the tablet, by itself or part of an effort. REJECTED when a script does not compile. */
    static PageFilter of(ReadSpec spec, Tablet tablet, TabletContext context, Optional<Effort> effort)
            throws RejectedException {
        Filter filter = spec.filter();
        if (filter.kind() == Filter.Kind.ALL) {
            return ALL;
        }
        RegexWork regexWork = effort.isPresent() ? effort.get().regexWork() : new RegexWork(context.clock());
        return of(filter, context, new RowProbe(tablet, context, spec.shown(), regexWork));
    }

    /** Rows that conditions ask about are read through {@code probe}. */
    static PageFilter of(Filter filter, TabletContext context, RowProbe probe) throws RejectedException {
        RowCounts counts = new RowCounts();
        List<VersionCount> versionCounts = new ArrayList<>();
        CellFilter root = new Maker(context, probe, counts, versionCounts).make(filter);
        return new PageFilter(root, counts, versionCounts, probe);
    }

    /** Before the first cell: conditions ask about rows as the page sees them. */
    PageFilter begin(VersionFilter page) {
        RowProbe conditions = probe;
        if (conditions != null) {
            conditions.begin(page);
        }
        return this;
    }

    /** Steps of regular expressions, those of conditions too, since this was asked last. */
    long takeRegexSteps() {
        RowProbe conditions = probe;
        return conditions == null ? 0 : conditions.regexWork().takeSteps();
    }

    /** What conditions have looked at so far. */
    long probedBytes() {
        RowProbe conditions = probe;
        return conditions == null ? 0 : conditions.workBytes();
    }

    Verdict judge(Candidate cell) throws BigtableException {
        counts.enter(cell);
        return root.judge(cell);
    }

    /** Goes on inside this row. REJECTED where the counts are not this filter's. */
    void resume(Bytes row, List<Integer> counted) throws RejectedException {
        counts.resume(row, counted);
    }

    /** What it had counted of the row before this column of it. */
    List<Integer> countedBefore(Bytes row, Optional<ColumnKey> column) {
        return counts.before(row, column);
    }

    /** What it has counted of the row, and of the column that the page ends inside, if in one: {@link #goOn} needs it. */
    void save(Bytes row, Optional<ColumnKey> column, Output out) {
        counts.save(row, out);
        if (column.isPresent()) {
            versionCounts.forEach(count -> out.varint(count.shown(row, column.get())));
        }
    }

    /** After {@link #resume}: goes on inside the row, and inside this column of it, if in one. */
    void goOn(Bytes row, Optional<ColumnKey> column, Input counted) throws CorruptionException {
        counts.goOn(column, counted);
        if (column.isPresent()) {
            for (VersionCount count : versionCounts) {
                count.resume(row, column.get(), counted.length("versions counted", Integer.MAX_VALUE));
            }
        }
    }

    /** Puts a filter to work. */
    private record Maker(TabletContext context, RowProbe probe, RowCounts counts, List<VersionCount> versionCounts) {
        CellFilter make(Filter filter) throws RejectedException {
            return switch (filter.kind()) {
                case ALL -> KEEP;
                case NONE -> DROP_ROW;
                case FAMILIES -> {
                    Set<String> names = Set.copyOf(((Filter.Families) filter).names());
                    yield new ColumnTest(column -> names.contains(column.family()));
                }
                case COLUMNS -> {
                    Set<ColumnKey> columns = new HashSet<>(((Filter.Columns) filter).columns());
                    yield new ColumnTest(columns::contains);
                }
                case MATCHES -> matches((Filter.Matches) filter);
                case WITHIN -> within((Filter.Within) filter);
                case TIMES -> times((Filter.Times) filter);
                case LATEST -> {
                    VersionCount latest = counting(((Filter.Latest) filter).count());
                    yield cell -> latest.isReached(cell) ? Verdict.DROP_COLUMN : Verdict.KEEP;
                }
                case SKIP_LATEST -> {
                    VersionCount skipped = counting(((Filter.SkipLatest) filter).count());
                    yield cell -> skipped.isReached(cell) ? Verdict.KEEP : Verdict.DROP;
                }
                case FIRST -> {
                    int count = ((Filter.First) filter).count();
                    int number = counts.add();
                    yield cell -> counts.isReached(number, count) ? Verdict.DROP_ROW : Verdict.KEEP;
                }
                case SKIP_FIRST -> {
                    int count = ((Filter.SkipFirst) filter).count();
                    int number = counts.add();
                    yield cell -> counts.isReached(number, count) ? Verdict.KEEP : Verdict.DROP;
                }
                case SAMPLE -> new RowTest(((Filter.Sample) filter)::holds);
                case KEYS ->
                    cell -> {
                        cell.set(true, cell.label());
                        return Verdict.KEEP;
                    };
                case LABEL -> {
                    String label = ((Filter.Label) filter).label();
                    yield cell -> {
                        cell.set(cell.isStripped(), label);
                        return Verdict.KEEP;
                    };
                }
                case SCRIPT -> {
                    Filter.Script script = (Filter.Script) filter;
                    CellScript opened = context.scripts()
                            .compiled(script)
                            .open(script.argument(), context.config().scriptBudget());
                    yield new ScriptTest(opened);
                }
                case NOT -> {
                    Filter negated = ((Filter.Not) filter).filter();
                    yield new Negation(make(negated), FilterShape.whatShares(negated));
                }
                case CHAIN -> chain((Filter.Chain) filter);
                case INTERLEAVE -> {
                    List<CellFilter> parts = new ArrayList<>();
                    for (Filter part : ((Filter.Interleave) filter).filters()) {
                        parts.add(make(part));
                    }
                    yield new CombinedFilters.Interleave(parts);
                }
                case CONDITION -> {
                    Filter.Condition condition = (Filter.Condition) filter;
                    yield new CombinedFilters.Condition(
                            counts,
                            counts.add(),
                            probe.asking(condition.predicate()),
                            make(condition.then()),
                            make(condition.otherwise()));
                }
            };
        }

        private VersionCount counting(int most) {
            VersionCount count = new VersionCount(most);
            versionCounts.add(count);
            return count;
        }

        private CellFilter chain(Filter.Chain chain) throws RejectedException {
            List<CombinedFilters.Link> links = new ArrayList<>();
            for (Filter part : chain.filters()) {
                links.add(new CombinedFilters.Link(make(part), FilterShape.countsCells(part)));
            }
            return new CombinedFilters.Chain(links);
        }

        /** Versions come newest first. */
        private static CellFilter times(Filter.Times times) {
            return cell -> cell.timestamp() > times.newest()
                    ? Verdict.DROP
                    : cell.timestamp() < times.oldest() ? Verdict.DROP_COLUMN : Verdict.KEEP;
        }

        private CellFilter matches(Filter.Matches matches) {
            Regex.Matching regex = matches.regex().matching(probe.regexWork());
            return test(matches.part(), bytes -> regex.matches(Slice.of(bytes)), regex::matches);
        }

        private static CellFilter within(Filter.Within within) {
            return test(within.part(), within.range()::contains, within.range()::contains);
        }

        private static CellFilter test(Part part, Question<Bytes> bytes, Question<Slice> value) {
            return switch (part) {
                case ROW -> new RowTest(bytes);
                case FAMILY -> new ColumnTest(column -> bytes.holds(Bytes.utf8(column.family())));
                case QUALIFIER -> new ColumnTest(column -> bytes.holds(column.qualifier()));
                case VALUE -> cell -> value.holds(cell.value()) ? Verdict.KEEP : Verdict.DROP;
            };
        }
    }
}
