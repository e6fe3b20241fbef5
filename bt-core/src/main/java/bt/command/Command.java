package bt.command;

/**
 * One command of {@code bt}: a class that picocli fills with its words, annotated with its name and help, found through
 * {@link java.util.ServiceLoader}; so every module brings its own. A command with subcommands lists them in its
 * annotation.
 */
public interface Command {
    /** The heading of the lines at the end of each command's help that show it at work. */
    String EXAMPLES = "%nExamples:%n";

    /** The heading that {@code bt help} lists it under. */
    Group group();

    /**
     * Runs; the exit code. What goes wrong is thrown: {@link bt.base.BigtableException}, or {@link UsageException} for
     * words that picocli understood and the command cannot.
     */
    int run(Invocation invocation) throws Exception;

    /** Whether it writes to rows, so that who is told of its failure wants to know what became of the write. */
    default boolean isWrite() {
        return false;
    }

    /** Headings, in the order of the help page. */
    enum Group {
        DATA("Data"),
        TABLES("Tables"),
        CLUSTER("Cluster"),
        DEVELOPMENT("Development"),
        SERVERS("Processes of a cluster, started by it");

        private final String title;

        Group(String title) {
            this.title = title;
        }

        /** As it stands in the help page. */
        public String title() {
            return title;
        }
    }
}
