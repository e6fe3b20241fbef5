package bt.client;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.Deadline;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataSchema;
import bt.model.TableSchema;
import bt.protocol.Address;
import bt.record.Phase;
import bt.record.SplitTablet;
import bt.record.TabletSplit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Splits of a table's tablets, asked of the servers that serve them. */
final class TabletSplits {
    private final Session session;
    private final TableSchema table;

    TabletSplits(Session session, TableSchema table) {
        this.session = session;
        this.table = table;
    }

    /** True at once where a tablet ends with the row already, as it does when the answer to an earlier attempt was lost. */
    boolean at(Bytes row) throws BigtableException, InterruptedException {
        return session.retry().run(subject(), deadline -> {
            MetadataRow tablet = holder(row, deadline);
            if (!tablet.id().endRow().equals(Optional.of(row))) {
                ask(tablet, Optional.of(row), deadline);
            }
            return true;
        });
    }

    /** Every tablet that can be, in its middle. The rows behind which they were split. */
    List<Bytes> everywhere() throws BigtableException, InterruptedException {
        List<MetadataRow> tablets = session.tablets(table);
        List<Bytes> rows = new ArrayList<>();
        Optional<RejectedException> first = Optional.empty();
        for (MetadataRow tablet : tablets) {
            if (tablet.id().equals(MetadataSchema.ROOT)) {
                // It never splits, and that is nobody's mistake who asks for all that can be.
                continue;
            }
            try {
                Optional<Bytes> row = rows.isEmpty()
                        ? inTheMiddle(tablet)
                        : Doubt.after(subject() + ": tablets split: " + rows.size(), () -> inTheMiddle(tablet));
                row.ifPresent(rows::add);
            } catch (RejectedException tooSmall) {
                first = first.or(() -> Optional.of(tooSmall));
            }
        }
        if (rows.isEmpty() && first.isPresent()) {
            throw first.get();
        }
        return rows;
    }

    /** The tablet as it was when we began: where another attempt, or somebody else, has split it, that is enough. */
    private Optional<Bytes> inTheMiddle(MetadataRow wanted) throws BigtableException, InterruptedException {
        return session.retry().run(subject(), deadline -> {
            MetadataRow now = session.tablet(table, wanted.id()).orElse(wanted);
            if (now.gone() || !now.previousEndRow().equals(wanted.previousEndRow())) {
                return now.gone() ? Optional.empty() : now.previousEndRow();
            }
            return Optional.of(ask(now, Optional.empty(), deadline));
        });
    }

    private MetadataRow holder(Bytes row, Deadline deadline) throws BigtableException, InterruptedException {
        return new TabletHolder(session, table)
                .of(row, deadline)
                .orElseThrow(() -> new UnavailableException(
                        subject() + ": METADATA has no tablet for row " + row.brief(), Outcome.NOT_APPLIED));
    }

    private Bytes ask(MetadataRow tablet, Optional<Bytes> row, Deadline deadline)
            throws BigtableException, InterruptedException {
        if (tablet.location().getPhase() != Phase.SERVING) {
            throw new UnavailableException(
                    subject() + ": " + tablet.id().inWords() + " is not served", Outcome.NOT_APPLIED);
        }
        SplitTablet message = new SplitTablet(
                table.id(),
                AvroBytes.buffer(tablet.previousEndRow()),
                AvroBytes.buffer(tablet.id().endRow()),
                AvroBytes.buffer(row),
                -1L);
        Address server = Address.parse(tablet.location().getAddress());
        return AvroBytes.bytes(session.calls()
                .control(server, message, TabletSplit.class, deadline)
                .getRow());
    }

    private String subject() {
        return "table " + table.name();
    }
}
