package bt.yarn.spec;

import bt.base.AvroBytes;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.record.ApplicationFile;
import bt.record.ContainerLine;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a cluster's application wants and holds, as its application master last said. Attempt 0 is the submitter's: no
 * application master has begun. Problems are what went wrong lately, newest last.
 */
public record Application(String id, int attempt, int servers, List<Held> containers, List<String> problems) {
    public Application {
        containers = List.copyOf(containers);
        problems = List.copyOf(problems);
    }

    public static Application submitted(String id, int servers) {
        return new Application(id, 0, servers, List.of(), List.of());
    }

    Bytes encode() {
        List<ContainerLine> lines = containers.stream()
                .map(held -> new ContainerLine(
                        held.id(),
                        held.role().command(),
                        held.host(),
                        held.state().name()))
                .toList();
        return AvroBytes.encode(new ApplicationFile(id, attempt, servers, lines, problems));
    }

    static Application decode(String source, Bytes content) throws CorruptionException {
        ApplicationFile file = AvroBytes.decode(source, content, ApplicationFile.class);
        List<Held> containers = new ArrayList<>();
        for (ContainerLine line : file.getContainers()) {
            containers.add(new Held(line.getId(), role(source, line), line.getHost(), state(source, line)));
        }
        return new Application(
                file.getApplication(), file.getAttempt(), file.getServers(), containers, file.getProblems());
    }

    private static Role role(String source, ContainerLine line) throws CorruptionException {
        return Stream.of(Role.values())
                .filter(role -> role.command().equals(line.getRole()))
                .findFirst()
                .orElseThrow(() -> new CorruptionException(source + ": no container runs a " + line.getRole()));
    }

    private static Held.State state(String source, ContainerLine line) throws CorruptionException {
        return Stream.of(Held.State.values())
                .filter(state -> state.name().equals(line.getState()))
                .findFirst()
                .orElseThrow(() -> new CorruptionException(source + ": no container is " + line.getState()));
    }
}
