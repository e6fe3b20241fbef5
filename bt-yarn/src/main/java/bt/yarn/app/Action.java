package bt.yarn.app;

import bt.yarn.spec.Held;
import bt.yarn.spec.Role;

/** One step of a {@link Plan}. */
sealed interface Action {
    void by(Hands hands);

    /** Who carries actions out: the application master, or a test's model of YARN. */
    interface Hands {
        void ask(Role role, int count);

        void withdraw(Role role, int count);

        void launch(Held container);

        void giveBack(Held container);

        void retire(Held container);

        void stopCluster();

        void finish();
    }

    /** Asks YARN for containers. */
    record Ask(Role role, int count) implements Action {
        @Override
        public void by(Hands hands) {
            hands.ask(role, count);
        }
    }

    /** Takes back what was asked and not yet granted. */
    record Withdraw(Role role, int count) implements Action {
        @Override
        public void by(Hands hands) {
            hands.withdraw(role, count);
        }
    }

    /** Starts the process of a granted container. */
    record Launch(Held container) implements Action {
        @Override
        public void by(Hands hands) {
            hands.launch(container);
        }
    }

    /** Gives a container back; YARN kills what runs in it. */
    record GiveBack(Held container) implements Action {
        @Override
        public void by(Hands hands) {
            hands.giveBack(container);
        }
    }

    /** Gives a tablet server's container back once its tablets are at others. */
    record Retire(Held container) implements Action {
        @Override
        public void by(Hands hands) {
            hands.retire(container);
        }
    }

    /** Tells the cluster's master to end the cluster. */
    record StopCluster() implements Action {
        @Override
        public void by(Hands hands) {
            hands.stopCluster();
        }
    }

    /** Says to YARN that all is done. */
    record Finish() implements Action {
        @Override
        public void by(Hands hands) {
            hands.finish();
        }
    }
}
