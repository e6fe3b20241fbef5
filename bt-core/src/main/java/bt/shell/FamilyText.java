package bt.shell;

import bt.base.Messages;
import bt.command.UsageException;
import bt.model.FamilySchema;
import bt.model.GcRule;
import bt.model.LocalityGroup;
import bt.model.SchemaChange;
import bt.model.TableSchema;
import bt.model.Timestamps;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A column family in words: {@code anchor}, {@code anchor:versions=3}, {@code anchor:versions=3,ttl=7d,group=links}; with a
 * promise by when deleted data is off the disk, {@code anchor:ttl=7d,purge=1d}; {@code purge=none} takes one back;
 * with who gives timestamps, {@code anchor:timestamps=server}. What is not said is absent.
 */
record FamilyText(
        String name,
        Optional<GcRule> garbage,
        Optional<String> group,
        Optional<OptionalLong> purgeMicros,
        Optional<Timestamps> timestamps) {
    static final String FORM =
            "FAMILY[:versions=N][,ttl=AGE][,group=NAME][,purge=AGE|none][,timestamps=server|client|either]";

    private static final String GROUP = "group=";
    private static final String PURGE = "purge=";
    private static final String TIMESTAMPS = "timestamps=";
    private static final String KEEP_ALL = "all";
    private static final String NO_PROMISE = "none";

    /** A version that either rule calls garbage is garbage. */
    static FamilyText parse(String text) throws UsageException {
        int colon = text.indexOf(':');
        if (colon < 0) {
            return new FamilyText(text, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
        }
        Optional<String> group = Optional.empty();
        Optional<OptionalLong> purge = Optional.empty();
        Optional<Timestamps> timestamps = Optional.empty();
        List<GcRule> rules = new ArrayList<>();
        for (String part : text.substring(colon + 1).split(",", -1)) {
            if (part.startsWith(GROUP)) {
                group = Optional.of(part.substring(GROUP.length()));
            } else if (part.startsWith(PURGE)) {
                purge = Optional.of(promise(part.substring(PURGE.length())));
            } else if (part.startsWith(TIMESTAMPS)) {
                timestamps = Optional.of(timestamps(part.substring(TIMESTAMPS.length())));
            } else {
                rules.add(rule(part, text));
            }
        }
        return new FamilyText(
                text.substring(0, colon),
                rules.isEmpty() ? Optional.empty() : Optional.of(together(rules)),
                group,
                purge,
                timestamps);
    }

    /** Adds the family to a draft; without rules all versions are kept. */
    void addTo(TableSchema.Builder draft) {
        draft.family(name, group.orElse(LocalityGroup.DEFAULT_NAME), garbage.orElse(GcRule.KEEP_ALL));
        purgeMicros.ifPresent(promise -> promise.ifPresent(micros -> draft.purge(name, micros)));
        timestamps.ifPresent(by -> draft.timestamps(name, by));
    }

    /** Adds the family; without rules all versions are kept. */
    void addTo(SchemaChange change) {
        change.addFamily(name, group.orElse(LocalityGroup.DEFAULT_NAME), garbage.orElse(GcRule.KEEP_ALL));
        purgeMicros.ifPresent(promise -> change.purge(name, promise));
        timestamps.ifPresent(by -> change.timestamps(name, by));
    }

    /** Changes what is said of the family, and leaves the rest. */
    void change(SchemaChange change) {
        garbage.ifPresent(rule -> change.garbage(name, rule));
        group.ifPresent(into -> change.moveFamily(name, into));
        purgeMicros.ifPresent(promise -> change.purge(name, promise));
        timestamps.ifPresent(by -> change.timestamps(name, by));
    }

    private static OptionalLong promise(String age) throws UsageException {
        return age.equals(NO_PROMISE) ? OptionalLong.empty() : OptionalLong.of(Ages.parseMicros(age));
    }

    private static Timestamps timestamps(String text) throws UsageException {
        return Stream.of(Timestamps.values())
                .filter(by -> by.text().equals(text))
                .findFirst()
                .orElseThrow(() ->
                        new UsageException("\"timestamps=" + text + "\"", "write timestamps=server, client or either"));
    }

    private static GcRule together(List<GcRule> rules) {
        return rules.size() == 1 ? rules.get(0) : new GcRule.Any(rules);
    }

    private static GcRule rule(String rule, String family) throws UsageException {
        if (rule.matches("versions=[0-9]+")) {
            return versions(rule.substring(rule.indexOf('=') + 1), family);
        }
        if (rule.equals(KEEP_ALL)) {
            return GcRule.KEEP_ALL;
        }
        if (rule.startsWith("ttl=")) {
            return new GcRule.MaxAge(Ages.parseMicros(rule.substring(rule.indexOf('=') + 1)));
        }
        throw new UsageException(
                "\"" + Messages.name(family) + "\" is no family", "write " + FORM + ", as in anchor:versions=3,ttl=7d");
    }

    private static GcRule versions(String count, String family) throws UsageException {
        int most;
        try {
            most = Integer.parseInt(count);
        } catch (NumberFormatException tooLarge) {
            throw new UsageException(
                    "family " + Messages.name(family) + ": " + count + " versions, at most " + Integer.MAX_VALUE
                            + " are counted",
                    "leave versions= out to keep all");
        }
        if (most == 0) {
            throw new UsageException(
                    "family " + Messages.name(family) + ": at least one version is kept, not 0",
                    "drop the family, or delete its cells");
        }
        return new GcRule.MaxVersions(most);
    }

    /** The promise, if there is one. */
    static Optional<String> purge(FamilySchema family) {
        return family.purgeMicros().isPresent()
                ? Optional.of(Ages.format(family.purgeMicros().getAsLong()))
                : Optional.empty();
    }

    /** Who gives timestamps, where not everybody may. */
    static Optional<String> timestamps(FamilySchema family) {
        return Optional.of(family.timestamps())
                .filter(by -> by != Timestamps.EITHER)
                .map(Timestamps::text);
    }

    static String of(GcRule rule) {
        if (rule instanceof GcRule.MaxVersions versions) {
            return "versions=" + versions.count();
        }
        if (rule instanceof GcRule.MaxAge age) {
            return "ttl=" + Ages.format(age.micros());
        }
        if (rule instanceof GcRule.Any any) {
            return any.rules().stream().map(FamilyText::of).collect(Collectors.joining(","));
        }
        if (rule instanceof GcRule.Every every) {
            return every.rules().stream().map(FamilyText::of).collect(Collectors.joining(" and ", "(", ")"));
        }
        return KEEP_ALL;
    }
}
