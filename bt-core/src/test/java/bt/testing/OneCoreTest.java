package bt.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class OneCoreTest {
    @Test
    void whatItStartsAndWhatThatStartsRunsOnOneCoreAndNobodyElse() throws Exception {
        assumeTrue(Stream.of("/usr/bin/taskset", "/bin/taskset").map(Path::of).anyMatch(Files::isExecutable));
        List<Integer> before = mine();
        CompletableFuture<List<Integer>> its = new CompletableFuture<>();
        CompletableFuture<List<Integer>> itsChilds = new CompletableFuture<>();
        OneCore.start(new Thread(() -> {
            its.complete(mine());
            new Thread(() -> itsChilds.complete(mine())).start();
        }));
        assertThat(its.get(10, TimeUnit.SECONDS)).hasSize(1);
        assertThat(itsChilds.get(10, TimeUnit.SECONDS)).isEqualTo(its.join());
        assertThat(mine()).isEqualTo(before).containsAll(its.join());
    }

    @Test
    void whatRunsBesideEachOtherHasACoreEach() throws Exception {
        assumeTrue(Stream.of("/usr/bin/taskset", "/bin/taskset").map(Path::of).anyMatch(Files::isExecutable));
        int cores = mine().size();
        ThreadFactory threads = OneCore.threads("lives");
        Set<List<Integer>> theirs = new HashSet<>();
        for (int i = 0; i < cores; i++) {
            CompletableFuture<List<Integer>> its = new CompletableFuture<>();
            threads.newThread(() -> OneCore.start(new Thread(() -> its.complete(mine()))))
                    .start();
            assertThat(its.get(10, TimeUnit.SECONDS)).hasSize(1);
            theirs.add(its.join());
        }
        assertThat(theirs).hasSize(cores);
    }

    /** Numbers from 1 on are next to each other, so the JVMs of a build are on as many cores as there are. */
    @Test
    void eachJvmOfABuildHasACoreByItsNumber() throws Exception {
        assumeTrue(Stream.of("/usr/bin/taskset", "/bin/taskset").map(Path::of).anyMatch(Files::isExecutable));
        String number = System.getProperty("bt.fork");
        // Surefire says it to each; where it does not run the tests, nobody has to.
        assumeTrue(number != null);
        assertThat(number).matches("0*[1-9][0-9]*");
        CompletableFuture<List<Integer>> its = new CompletableFuture<>();
        OneCore.start(new Thread(() -> its.complete(mine())));
        List<Integer> cores = mine();
        assertThat(its.get(10, TimeUnit.SECONDS))
                .containsExactly(cores.get((Integer.parseInt(number) - 1) % cores.size()));
    }

    private static List<Integer> mine() {
        try {
            return OneCore.allowed(Files.readAllLines(Path.of("/proc/thread-self/status")));
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
    }

    @Test
    void theCoresAreReadFromAThreadsStatus() throws Exception {
        assertThat(OneCore.allowed(List.of("Name:\tjava", "Cpus_allowed:\tff", "Cpus_allowed_list:\t0-2,5,7-8")))
                .containsExactly(0, 1, 2, 5, 7, 8);
        assertThatThrownBy(() -> OneCore.allowed(List.of("Name:\tjava"))).isInstanceOf(IOException.class);
    }
}
