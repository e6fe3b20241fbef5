package bt.doctor;

import bt.base.Bytes;
import bt.metadata.MetadataRow;
import bt.model.TabletId;
import bt.record.TableRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Tablets that follow each other in METADATA, and the tables by id as they were when METADATA was read. Where it begins
 * or ends with none, METADATA does.
 */
record Seam(List<Edge> edges, boolean fromBeginning, boolean toEnd, Map<Long, TableRecord> tables) implements Facts {
    Seam {
        edges = List.copyOf(edges);
    }

    /** A tablet as its neighbours see it. Of a damaged row nobody knows where its tablet begins. */
    record Edge(TabletId id, boolean whole, Optional<Bytes> previousEndRow) {
        static Edge of(MetadataRow row) {
            return new Edge(row.id(), true, row.previousEndRow());
        }
    }

    @Override
    public String version() {
        return edges.stream().map(Edge::toString).collect(Collectors.joining("\n"));
    }
}
