package bt.doctor;

import bt.metadata.MetadataRow;
import bt.metadata.MetadataSchema;
import bt.model.TableSchema;
import bt.record.FileReference;
import bt.record.Phase;
import bt.record.SSTableProperties;
import bt.record.TablePhase;
import bt.record.TableRecord;
import java.util.List;
import java.util.Optional;

/**
 * One tablet: its METADATA row and when that was last changed, its table, its files and logs, the server that METADATA
 * names if it lives, and what servers say of the tablet.
 */
record TabletFacts(
        MetadataRow row,
        Times times,
        Optional<TableRecord> table,
        List<FileSight> files,
        List<LogSight> logs,
        Optional<ServerSight> named,
        List<Claim> claims)
        implements Facts {
    TabletFacts {
        files = List.copyOf(files);
        logs = List.copyOf(logs);
        claims = List.copyOf(claims);
    }

    /** When the row was last changed, and when it was looked at: wall clocks, microseconds. 0: not known. */
    record Times(long changedMicros, long nowMicros) {}

    /** What a server says of the tablet: only those that have it are here. */
    record Claim(String server, long epoch, Phase phase, Optional<String> failure) {}

    /** A file that the row refers to. Without properties it was not opened. */
    record FileSight(
            FileReference reference,
            boolean exists,
            long bytes,
            Optional<SSTableProperties> properties,
            String failure) {}

    /**
     * A log that the row needs: what keeps it from being read, and what is wrong with who may write it. Both are empty where
     * nothing is.
     */
    record LogSight(String directory, String failure, String hold) {
        boolean isThere() {
            return failure.isEmpty();
        }

        /** Written by the server that lives, and by nobody when that is dead. */
        boolean isHeldWell() {
            return hold.isEmpty();
        }
    }

    @Override
    public String version() {
        return row.id().tableId() + "/" + row.id().endRow() + " " + row.generation();
    }

    boolean isOfMetadata() {
        return row.id().tableId() == TableSchema.METADATA_ID;
    }

    /** Whether somebody should serve it. */
    boolean isWanted() {
        return isOfMetadata()
                || table.filter(record -> record.getPhase() == TablePhase.ACTIVE)
                        .isPresent();
    }

    /** What the named server says. */
    Optional<Claim> ofNamed() {
        return claims.stream().filter(this::isOfNamed).findFirst();
    }

    boolean isOfNamed(Claim claim) {
        return claim.epoch() == row.location().getEpoch()
                && claim.server().equals(row.location().getServer());
    }

    /** What breaks a rule among METADATA's own tablets breaks the eighth. */
    Finding finding(Rule rule, String fact) {
        return finding(rule, "", fact);
    }

    Finding finding(Rule rule, String file, String fact) {
        Place place = new Place(tableName(), Optional.of(row.range()), file);
        return isOfMetadata()
                ? new Finding(Rule.METADATA, place, fact + " (invariant " + rule.number() + ")")
                : new Finding(rule, place, fact);
    }

    private String tableName() {
        return isOfMetadata()
                ? MetadataSchema.SCHEMA.name()
                : table.map(TableRecord::getName).orElse("#" + row.id().tableId());
    }
}
