package bt.main;

import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;

/** {@code bt config}. */
@picocli.CommandLine.Command(
        name = "config",
        description = "Explains every configuration key and shows its value.",
        footerHeading = Command.EXAMPLES,
        footer = {"  bt config", "  bt config -D tabletserver.split.bytes=64m"})
public final class ConfigCommand implements Command {
    @Override
    public Group group() {
        return Group.CLUSTER;
    }

    @Override
    public int run(Invocation invocation) {
        for (Setting setting : Setting.values()) {
            invocation
                    .out()
                    .printf(
                            "%s = %s%n    %s%s%n",
                            setting.key(),
                            invocation.setting(setting.key()),
                            setting.explanation(),
                            setting.allowed().isEmpty() ? "" : " (" + setting.allowed() + ")");
        }
        return ExitCode.DONE;
    }
}
