package bt.main;

import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.shell.Json;
import java.util.LinkedHashMap;
import java.util.Map;

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
            if (invocation.json()) {
                Json.print(invocation.out(), document(setting, invocation.setting(setting.key())));
            } else {
                print(setting, invocation);
            }
        }
        return ExitCode.DONE;
    }

    private static void print(Setting setting, Invocation invocation) {
        invocation
                .out()
                .printf(
                        "%s = %s%n    %s%s%n",
                        setting.key(),
                        invocation.setting(setting.key()),
                        setting.explanation(),
                        setting.allowed().isEmpty() ? "" : " (" + setting.allowed() + ")");
    }

    private static Map<String, Object> document(Setting setting, String value) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("key", setting.key());
        document.put("value", value);
        document.put("explanation", setting.explanation());
        document.put("allowed", setting.allowed());
        return document;
    }
}
