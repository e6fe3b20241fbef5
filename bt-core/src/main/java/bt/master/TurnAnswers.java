package bt.master;

import bt.base.BigtableException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * What was told in the present turn of the master's loop: who asks the same in one turn, which all asked before it began, is told
 * the same, put together once. Owned by the master's thread.
 */
final class TurnAnswers {
    private final Map<SpecificRecord, CompletableFuture<? extends SpecificRecord>> told = new HashMap<>();

    /** Puts an answer together, or begins to. */
    interface Maker {
        CompletableFuture<? extends SpecificRecord> make() throws BigtableException, InterruptedException;
    }

    /** A turn begins: what was true in the last one need not be any more. */
    void begin() {
        told.clear();
    }

    CompletableFuture<? extends SpecificRecord> to(SpecificRecord question, Maker maker)
            throws BigtableException, InterruptedException {
        @Nullable CompletableFuture<? extends SpecificRecord> known = told.get(question);
        if (known == null) {
            known = maker.make();
            told.put(question, known);
        }
        return known;
    }
}
