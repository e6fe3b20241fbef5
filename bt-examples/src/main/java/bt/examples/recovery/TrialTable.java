package bt.examples.recovery;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Deadline;
import bt.base.RejectedException;
import bt.base.Scheduler;
import bt.client.Bigtable;
import bt.client.TabletInfo;
import bt.model.GcRule;
import bt.model.TableSchema;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** The table of one run. Its tablets are known by a prefix that all their rows have. */
record TrialTable(Bigtable bigtable, Scheduler scheduler, String name) {
    static final String FAMILY = "f";
    private static final int TABLETS = 12;
    private static final long MOVE_MILLIS = 60_000;
    private static final long LOOK_MILLIS = 100;

    /** A new one; returns when every tablet is served. */
    static TrialTable create(Bigtable bigtable, Scheduler scheduler, String name) throws BigtableException {
        List<Bytes> ends = prefixes().subList(0, TABLETS - 1).stream()
                .map(prefix -> Bytes.utf8(prefix + "~"))
                .toList();
        bigtable.admin()
                .createTable(
                        TableSchema.draft(name).family(FAMILY, GcRule.KEEP_ALL).build(), ends);
        return new TrialTable(bigtable, scheduler, name);
    }

    static List<String> prefixes() {
        return IntStream.range(0, TABLETS)
                .mapToObj(i -> String.format("t%02d", i))
                .toList();
    }

    /** The row of a tablet that its probe works at. */
    static String probed(String prefix) {
        return prefix + "/probe";
    }

    /** The address of the server of a tablet; empty while it moves. */
    private Optional<String> serverOf(String prefix) throws BigtableException {
        Bytes row = Bytes.utf8(probed(prefix));
        return bigtable.table(name).tablets().stream()
                .filter(tablet -> tablet.range().contains(row))
                .findFirst()
                .flatMap(TabletInfo::server);
    }

    /** The prefixes of the tablets of a server. */
    List<String> on(String address) throws BigtableException {
        List<TabletInfo> tablets = bigtable.table(name).tablets();
        return prefixes().stream()
                .filter(prefix -> tablets.stream()
                        .anyMatch(tablet -> tablet.range().contains(Bytes.utf8(probed(prefix)))
                                && tablet.server().filter(address::equals).isPresent()))
                .toList();
    }

    /** The same number of tablets on each of the servers. */
    void spread(List<String> addresses) throws BigtableException, InterruptedException {
        int share = TABLETS / addresses.size();
        for (String from : addresses) {
            List<String> there = on(from);
            for (String prefix : there.subList(Math.min(share, there.size()), there.size())) {
                for (String to : addresses) {
                    if (on(to).size() < share) {
                        move(prefix, to);
                        break;
                    }
                }
            }
        }
    }

    /**
     * Moves every tablet to the next server: the master moves none of them again for some minutes, however much one of the
     * servers is given to do.
     */
    void rotate(List<String> addresses) throws BigtableException, InterruptedException {
        for (String prefix : prefixes()) {
            Optional<String> now = serverOf(prefix);
            // One that the master moves already rests as well.
            if (now.isPresent()) {
                move(prefix, addresses.get((addresses.indexOf(now.get()) + 1) % addresses.size()));
            }
        }
    }

    /** Once the master has ended a move of the tablet that it may have begun itself. */
    private void move(String prefix, String to) throws BigtableException, InterruptedException {
        Deadline deadline = Deadline.after(scheduler.clock(), MOVE_MILLIS);
        while (true) {
            try {
                bigtable.admin().moveTablet(name, Bytes.utf8(probed(prefix)), to);
                return;
            } catch (RejectedException onItsWay) {
                if (deadline.isOver()) {
                    throw onItsWay;
                }
                scheduler.pause(LOOK_MILLIS);
            }
        }
    }

    /** Bytes that are in no file yet. */
    long bytesInMemory() throws BigtableException {
        long files = bigtable.table(name).tablets().stream()
                .mapToLong(TabletInfo::bytes)
                .sum();
        return bigtable.table(name).weighedTablets().stream()
                        .mapToLong(TabletInfo::bytes)
                        .sum()
                - files;
    }

    void drop() throws BigtableException {
        bigtable.admin().dropTable(name);
    }
}
