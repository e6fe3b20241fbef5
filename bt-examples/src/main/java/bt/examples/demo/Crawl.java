package bt.examples.demo;

import bt.base.BigtableException.Outcome;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Fetches the sites' jars through Maven, which knows the user's mirrors and proxies, and keeps them for the next time in
 * {@code ~/.cache/bt/crawl} ({@code $XDG_CACHE_HOME/bt/crawl}).
 */
final class Crawl {
    private static final String GOAL = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy";
    private static final long FETCH_MINUTES = 5;

    private final Path cache;
    private final Path log;

    /** Maven's words go to the log. */
    Crawl(Path cache, Path log) {
        this.cache = cache;
        this.log = log;
    }

    static Path userCache() {
        String chosen = System.getenv("XDG_CACHE_HOME");
        Path base = chosen == null || chosen.isBlank()
                ? Path.of(System.getProperty("user.home"), ".cache")
                : Path.of(chosen);
        return base.resolve("bt/crawl");
    }

    List<SiteJar> fetch(Bar bar) throws IOException, InterruptedException {
        Files.createDirectories(cache);
        List<SiteJar> jars = new ArrayList<>();
        for (Site site : Site.ALL) {
            Path jar = cache.resolve(site.fileName());
            if (!isWhole(site, jar)) {
                bar.note(site.coordinates() + " from Maven");
                download(site, jar);
            }
            jars.add(new SiteJar(site, jar));
            bar.at(jars.size(), Site.ALL.size());
        }
        return jars;
    }

    private static boolean isWhole(Site site, Path jar) throws IOException {
        return Files.exists(jar) && Sha256.of(jar).equals(site.sha256());
    }

    private void download(Site site, Path jar) throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory(cache, "fetching-");
        try {
            maven(site, directory);
            Path fetched = directory.resolve(site.fileName());
            if (!isWhole(site, fetched)) {
                throw new RejectedException(
                        site.coordinates() + ": Maven fetched a file whose SHA-256 is " + Sha256.of(fetched) + ", not "
                                + site.sha256(),
                        "delete it from the local repository");
            }
            Files.move(fetched, jar, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            try (Stream<Path> rest = Files.list(directory)) {
                for (Path file : rest.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(directory);
        }
    }

    private void maven(Site site, Path directory) throws IOException, InterruptedException {
        String coordinates = site.group() + ":" + site.artifact() + ":" + site.version() + ":jar:javadoc";
        ProcessBuilder command = new ProcessBuilder(
                        "mvn", "-B", "-q", GOAL, "-Dartifact=" + coordinates, "-DoutputDirectory=" + directory)
                .directory(directory.toFile())
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        Process process;
        try {
            process = command.start();
        } catch (IOException absent) {
            throw new RejectedException(
                    "no mvn on the PATH, and " + site.coordinates() + " is not in " + cache,
                    "install Maven 3.8 or newer");
        }
        boolean ended;
        try {
            ended = process.waitFor(FETCH_MINUTES, TimeUnit.MINUTES);
        } finally {
            ProcessTree.end(process.toHandle());
        }
        if (!ended || process.exitValue() != 0) {
            throw new UnavailableException(
                    site.coordinates() + ": Maven cannot fetch its Javadoc, see " + log + ": is the network there?",
                    Outcome.NOT_APPLIED);
        }
    }
}
