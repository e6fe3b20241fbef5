package bt.examples.paper;

import static java.nio.charset.StandardCharsets.UTF_8;

import bt.examples.cluster.HdfsMain;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the datanodes of this machine that some of its processes have connections with, by what Linux tells in {@code /proc}: a
 * tablet server always has one with the datanode that its log goes to first. Those of other users are not seen.
 */
final class DatanodesHere {
    private static final Path PROCESSES = Path.of("/proc");
    private static final String PACKAGE = "org.apache.hadoop.hdfs.server.datanode.";
    private static final Pattern SOCKET = Pattern.compile("socket:\\[([0-9]+)]");

    /** Of a line of {@code /proc/net/tcp}, by blanks. */
    private static final int LOCAL = 1;

    private static final int REMOTE = 2;
    private static final int STATE = 3;
    private static final int INODE = 9;
    private static final String ESTABLISHED = "01";

    /** How an address of version 4 begins among those of version 6. */
    private static final String MAPPED = "0000000000000000FFFF0000";

    private DatanodesHere() {}

    static List<Long> of(Collection<Long> servers) throws IOException {
        Set<String> others = new HashSet<>();
        for (long server : servers) {
            others.addAll(otherEnds(server));
        }
        List<Long> found = new ArrayList<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROCESSES, "[0-9]*")) {
            for (Path process : processes) {
                long pid = Long.parseLong(process.getFileName().toString());
                if (!others.isEmpty() && isDatanode(process) && !Collections.disjoint(sockets(process), others)) {
                    found.add(pid);
                }
            }
        }
        return found.stream().sorted().toList();
    }

    private static boolean isDatanode(Path process) {
        try {
            List<String> words =
                    List.of(Files.readString(process.resolve("cmdline")).split("\0", -1));
            return words.stream().anyMatch(word -> word.startsWith(PACKAGE))
                    || (words.contains(HdfsMain.class.getName()) && words.contains(HdfsMain.DATANODE));
        } catch (IOException goneOrForeign) {
            return false;
        }
    }

    /** The sockets on this machine at the other ends of the connections of a process. */
    private static Set<String> otherEnds(long pid) throws IOException {
        Path process = PROCESSES.resolve(Long.toString(pid));
        Map<Ends, String> sockets = new HashMap<>();
        for (String table : List.of("net/tcp", "net/tcp6")) {
            for (String line : Files.readAllLines(process.resolve(table), UTF_8)) {
                String[] fields = line.strip().split(" +", -1);
                if (fields[STATE].equals(ESTABLISHED)) {
                    sockets.put(new Ends(address(fields[LOCAL]), address(fields[REMOTE])), fields[INODE]);
                }
            }
        }
        Set<String> own = sockets(process);
        Set<String> others = new HashSet<>();
        sockets.forEach((ends, socket) -> {
            String other = sockets.get(ends.turned());
            if (own.contains(socket) && other != null) {
                others.add(other);
            }
        });
        return others;
    }

    /** Of one connection, as one of both sees it: its own address, then the other's. */
    private record Ends(String own, String peer) {
        Ends turned() {
            return new Ends(/* own= */ peer, /* peer= */ own);
        }
    }

    private static String address(String hexadecimal) {
        return hexadecimal.startsWith(MAPPED) ? hexadecimal.substring(MAPPED.length()) : hexadecimal;
    }

    private static Set<String> sockets(Path process) {
        Set<String> inodes = new HashSet<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(process.resolve("fd"))) {
            for (Path file : files) {
                Matcher socket = SOCKET.matcher(Files.readSymbolicLink(file).toString());
                if (socket.matches()) {
                    inodes.add(socket.group(1));
                }
            }
        } catch (IOException | DirectoryIteratorException goneOrForeign) {
            return inodes;
        }
        return inodes;
    }
}
