package bt.command;

/** One command of {@code bt}, found through {@link java.util.ServiceLoader}. */
public interface Command {
    /** The words that call it, as in {@code cluster start}. */
    String name();

    /** The heading it is listed under in {@code bt help}. */
    String group();

    /** One line: what it does. */
    String summary();

    /** Usage, options and an example or two, as {@code bt help NAME} prints it. */
    String help();

    /**
     * Runs; the exit code. What goes wrong is thrown: {@link bt.base.BigtableException}, or {@link UsageException} for
     * words that cannot be understood.
     */
    int run(Invocation invocation) throws Exception;
}
