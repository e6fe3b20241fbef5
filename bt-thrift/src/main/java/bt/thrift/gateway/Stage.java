package bt.thrift.gateway;

import bt.base.Deadline;
import java.util.Optional;

/** What a connection is doing, and until when it may. */
record Stage(Kind kind, Optional<Deadline> deadline) {
    boolean isOver() {
        return deadline.isPresent() && deadline.get().isOver();
    }

    /** In the order in which a connection goes through them; after the last it is silent again. */
    enum Kind {
        SILENT("nothing has come"),
        READING("a frame has begun and does not end"),
        WORKING("a call takes its time"),
        ANSWERING("an answer is not taken");

        private final String whatStandsStill;

        Kind(String whatStandsStill) {
            this.whatStandsStill = whatStandsStill;
        }

        String whatStandsStill() {
            return whatStandsStill;
        }
    }
}
