package bt.master;

import bt.base.BigtableException;

/** The steps of somebody who asks: every answer, also one that is a failure, is one, so that many slow ones are no hang. */
final class Steps {
    private final Runnable step;

    Steps(Runnable step) {
        this.step = step;
    }

    /** What is asked. */
    @FunctionalInterface
    interface Question<T> {
        T ask() throws BigtableException;
    }

    /** What is asked for without an answer of its own. */
    @FunctionalInterface
    interface Wish {
        void ask() throws BigtableException;
    }

    <T> T answer(Question<T> question) throws BigtableException {
        try {
            return question.ask();
        } finally {
            step();
        }
    }

    void done(Wish wish) throws BigtableException {
        try {
            wish.ask();
        } finally {
            step();
        }
    }

    void step() {
        step.run();
    }
}
