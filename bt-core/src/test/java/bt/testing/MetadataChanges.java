package bt.testing;

import bt.model.TableSchema;
import bt.protocol.Answer;
import bt.protocol.Request;
import bt.protocol.Service;
import bt.protocol.Write;
import java.util.function.Consumer;

/** Where METADATA is changed, seen from outside. */
final class MetadataChanges {
    private MetadataChanges() {}

    /** The same server; of each change of METADATA that it has made somebody is told. */
    static Service over(Service server, Consumer<Write> made) {
        return (caller, request) -> server.handle(caller, request).whenComplete((answer, failure) -> {
            if (request instanceof Request.Mutate mutate
                    && mutate.tableId() == TableSchema.METADATA_ID
                    && answer instanceof Answer.Mutated mutated) {
                for (int i = 0; i < mutate.writes().size(); i++) {
                    if (mutated.results().get(i).failure().isEmpty()) {
                        made.accept(mutate.writes().get(i));
                    }
                }
            }
        });
    }
}
