package bt.main;

import bt.base.Halt;
import bt.command.ExitCode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The end of the JVM, at once, with one line. */
final class ProcessHalt implements Halt {
    private static final Logger log = LoggerFactory.getLogger(ProcessHalt.class);

    @Override
    public void halt(String reason) {
        log.error("halted: {}", reason);
        Runtime.getRuntime().halt(ExitCode.INTERNAL);
    }
}
