package bt.master;

import bt.model.TabletId;
import bt.record.TableShares;
import bt.record.TabletReport;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What servers have answered, by table: found out once for all tables of which something is asked, and not at all where nothing is.
 * To go through all tablets for each table would take a master of many tables with quotas more time than it has. One thread.
 */
final class ReportsByTable {
    private final Collection<Poll.Holdings> answers;
    private @Nullable Map<Long, Of> tables;

    ReportsByTable(Collection<Poll.Holdings> answers) {
        this.answers = answers;
    }

    /** Of a tablet, by the server of an epoch. Several may tell of the same one. */
    record Tablet(long epoch, TabletId id, TabletReport report) {}

    /** What users have put into a table, by the server of an epoch. */
    record Shares(long epoch, TableShares shares) {}

    /** All of one table. */
    record Of(List<Tablet> tablets, List<Shares> shares) {
        private static final Of NOTHING = new Of(List.of(), List.of());

        private Of() {
            this(new ArrayList<>(), new ArrayList<>());
        }
    }

    Of of(long tableId) {
        Map<Long, Of> known = tables;
        if (known == null) {
            known = sorted();
            tables = known;
        }
        return known.getOrDefault(tableId, Of.NOTHING);
    }

    private Map<Long, Of> sorted() {
        Map<Long, Of> sorted = new HashMap<>();
        for (Poll.Holdings holdings : answers) {
            long epoch = holdings.status().getEpoch();
            holdings.tablets()
                    .forEach((id, report) -> of(id.tableId(), sorted).tablets().add(new Tablet(epoch, id, report)));
            for (TableShares shares : holdings.status().getShares()) {
                of(shares.getTableId(), sorted).shares().add(new Shares(epoch, shares));
            }
        }
        return sorted;
    }

    private static Of of(long tableId, Map<Long, Of> tables) {
        return tables.computeIfAbsent(tableId, first -> new Of());
    }
}
