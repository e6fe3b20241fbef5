package bt.client;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Deadline;
import bt.base.OverloadedException;
import bt.base.RejectedException;
import bt.metadata.Schemas;
import bt.model.TableSchema;
import bt.record.AlterTable;
import bt.record.Done;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * One change of a table's schema on its way to the master, who makes it on the version that it was decided on alone. When
 * another was faster it is decided again. One thread.
 */
final class TableAlteration {
    private final Session session;
    private final MasterCalls master;
    private final TableSchema table;
    private final UnaryOperator<TableSchema> change;

    /** What was sent and may have arrived, though nobody said so. */
    private Optional<TableSchema> inDoubt = Optional.empty();

    TableAlteration(Session session, MasterCalls master, TableSchema table, UnaryOperator<TableSchema> change) {
        this.session = session;
        this.master = master;
        this.table = table;
        this.change = change;
    }

    /** Until a time, which is that of all who are to hear of it too. */
    TableSchema run(Deadline until) throws BigtableException, InterruptedException {
        String subject = "table " + table.name();
        Optional<TableSchema> asWanted = session.retry().run(subject, until, this::attempt);
        return asWanted.isPresent()
                ? asWanted.get()
                : Doubt.after(subject + " has been changed", () -> session.retry()
                        .run(subject, until, deadline -> present()));
    }

    /** The table where it is as wanted already; empty where the master has made it so. */
    private Optional<TableSchema> attempt(Deadline deadline) throws BigtableException, InterruptedException {
        TableSchema now = present();
        if (inDoubt.isPresent() && isAfter(now, inDoubt.get())) {
            return Optional.of(now);
        }
        if (inDoubt.isPresent() && now.version() == inDoubt.get().version() + 1) {
            // That is another's: what was sent was to be this version, so it was not made and never will be.
            inDoubt = Optional.empty();
        }
        TableSchema wanted = wanted(now);
        if (wanted.equals(now)) {
            return Optional.of(now);
        }
        // Perhaps it was made, and somebody has taken it back since: made again it would undo what he was told is done.
        if (inDoubt.isPresent() && now.version() > inDoubt.get().version()) {
            throw doubted(now, "others have changed it since");
        }
        try {
            master.attempt(new AlterTable(Schemas.encode(wanted)), Done.class, deadline);
            return Optional.empty();
        } catch (RejectedException refused) {
            if (present().version() == now.version()) {
                throw refused;
            }
            throw OverloadedException.contended("others have changed it meanwhile")
                    .causedBy(refused);
        } catch (BigtableException failure) {
            if (failure.outcome() == Outcome.UNKNOWN) {
                inDoubt = Optional.of(wanted);
            }
            throw failure;
        }
    }

    private TableSchema wanted(TableSchema now) throws RejectedException {
        try {
            return change.apply(now);
        } catch (IllegalArgumentException cannotBe) {
            if (inDoubt.isEmpty()) {
                throw cannotBe;
            }
            // Perhaps because it has been made, and others have changed the table since.
            throw (RejectedException)
                    doubted(now, String.valueOf(cannotBe.getMessage())).causedBy(cannotBe);
        }
    }

    private static RejectedException doubted(TableSchema now, String why) {
        return new RejectedException(
                "table " + now.name() + " has version " + now.version() + ", with or without what was asked for: "
                        + why,
                "look at it before you ask again",
                Outcome.UNKNOWN);
    }

    private TableSchema present() throws BigtableException {
        return session.refresh(table.id())
                .orElseThrow(() -> new RejectedException(
                        "table " + table.name() + " was dropped", "undelete it, or create it anew"));
    }

    /** Whether the schema is what was sent: the very next version with the same content. */
    private static boolean isAfter(TableSchema now, TableSchema sent) {
        TableSchema next = new TableSchema(
                sent.id(),
                sent.name(),
                sent.version() + 1,
                sent.nextFamilyId(),
                sent.durability(),
                sent.families(),
                sent.groups(),
                sent.quotas(),
                sent.access());
        return now.equals(next);
    }
}
