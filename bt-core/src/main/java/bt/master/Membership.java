package bt.master;

import bt.base.BigtableException;
import bt.base.CorruptionException;
import bt.base.RejectedException;
import bt.base.Scheduler;
import bt.coord.Lock;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.coord.SmallFile;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who may serve. A server may while its file is there; its file goes only when its lock is gone, which the lock service
 * itself checks, so a deleted file proves that the server will never serve again. Owned by the master's thread.
 */
final class Membership {
    private static final Logger log = LoggerFactory.getLogger(Membership.class);
    private static final int MOST_DEPARTED = 1_000;

    private final LockService locks;
    private final Scheduler scheduler;
    private final long graceNanos;
    private final long reignMicros;
    private final Consumer<Member> met;
    private final Set<String> seenLocked = new HashSet<>();

    /** Servers that had the time to take their locks before this master's reign began. */
    private final Set<String> settled = new HashSet<>();

    private final Map<String, Long> unlockedSince = new HashMap<>();

    /** A server's file never changes and its name is never used again, so it is read once. */
    private final Map<String, Member> known = new HashMap<>();

    /** What is wrong with the files that cannot be read, by the servers' ids. */
    private final Map<String, String> damage = new TreeMap<>();

    /** The last servers whose files are gone, by their processes: that these have ended may be told later. */
    private final Map<String, Member> departed = new LinkedHashMap<>();

    /**
     * A server that was never seen with its lock has this long to take it: it may just be starting. One whose file was as old
     * when this master's reign began, both by the lock service's clock, has had it. {@code met} hears of each server before
     * anything is decided on it, once.
     */
    Membership(LockService locks, Scheduler scheduler, long graceMillis, long reignMicros, Consumer<Member> met) {
        this.met = met;
        this.locks = locks;
        this.scheduler = scheduler;
        this.graceNanos = graceMillis * 1_000_000;
        this.reignMicros = reignMicros;
    }

    /** The servers that have a file, after the files of those that have lost their lock are deleted. */
    Roll call() throws BigtableException {
        List<Member> living = new ArrayList<>();
        List<Member> unlocked = new ArrayList<>();
        Set<String> ids = new LinkedHashSet<>(locks.children(Paths.SERVERS));
        known.values().stream().filter(member -> !ids.contains(member.id())).forEach(this::depart);
        known.keySet().retainAll(ids);
        damage.keySet().retainAll(ids);
        seenLocked.retainAll(ids);
        settled.retainAll(ids);
        unlockedSince.keySet().retainAll(ids);
        List<Member> registered = registered(ids);
        Iterator<List<String>> held = locks.childrenOfEach(registered.stream()
                        .map(member -> Paths.server(member.id()))
                        .toList())
                .iterator();
        for (Member member : registered) {
            if (!held.next().isEmpty()) {
                seenLocked.add(member.id());
                unlockedSince.remove(member.id());
                living.add(member);
            } else if (mayStillLock(member.id()) || !declareDead(member)) {
                unlocked.add(member);
            }
        }
        return new Roll(living, unlocked);
    }

    /** Who holds its lock, and who has a file and no lock yet: neither to be given tablets nor to be replaced. */
    record Roll(List<Member> living, List<Member> unlocked) {}

    /** For operators. */
    List<String> problems() {
        return damage.entrySet().stream()
                .map(file -> file.getValue()
                        + (known.containsKey(file.getKey())
                                ? "; the server is known by the name of its file"
                                : "; it is left alone"))
                .toList();
    }

    /** Only that a server may be starting has it wait: who has lost its lock is declared dead by the first look that sees it. */
    private boolean mayStillLock(String id) {
        long now = scheduler.clock().nanos();
        long since = unlockedSince.computeIfAbsent(id, first -> now);
        return !seenLocked.contains(id) && !settled.contains(id) && now - since < graceNanos;
    }

    /** In their order those that have a file. Together: one after the other a look would grow with the servers by a round trip for each. */
    private List<Member> registered(Collection<String> ids) throws BigtableException {
        List<String> unknown = ids.stream().filter(id -> !known.containsKey(id)).toList();
        Iterator<Optional<SmallFile>> files =
                locks.readEach(unknown.stream().map(Paths::server).toList()).iterator();
        for (String id : unknown) {
            Optional<SmallFile> file = files.next();
            if (file.isPresent()) {
                if (reignMicros - file.get().modifiedMicros() >= graceNanos / 1_000) {
                    settled.add(id);
                }
                member(id, file.get()).ifPresent(member -> {
                    known.put(id, member);
                    met.accept(member);
                });
            }
        }
        List<Member> registered = new ArrayList<>();
        for (String id : ids) {
            Member member = known.get(id);
            if (member != null) {
                registered.add(member);
            }
        }
        return registered;
    }

    /** What is wrong with a file is told once. */
    private Optional<Member> member(String id, SmallFile file) {
        try {
            return Optional.of(Member.of(id, file));
        } catch (CorruptionException damaged) {
            if (damage.put(id, String.valueOf(damaged.getMessage())) == null) {
                log.warn("{}", damaged.getMessage());
            }
            return Member.found(id, file);
        }
    }

    /** The server in a process that has ended; empty when its file is gone already, or never was. */
    Optional<Member> inProcess(String process) throws BigtableException {
        return registered(locks.children(Paths.SERVERS)).stream()
                .filter(found -> found.process().equals(process))
                .findFirst();
    }

    /** The server that was in the process, if it has lost its file while this master ruled. */
    Optional<Member> departed(String process) {
        return Optional.ofNullable(departed.get(process));
    }

    private void depart(Member member) {
        departed.put(member.process(), member);
        if (departed.size() > MOST_DEPARTED) {
            departed.remove(departed.keySet().iterator().next());
        }
    }

    /**
     * The server will never serve again, though its lock may live: the file and the lock go in one step, which is not taken by who is
     * no master any more.
     */
    void declareDeadWithItsLock(Member member, Lock reign, String why) throws BigtableException {
        reign.deleteWithChildren(Paths.server(member.id()));
        depart(member);
        log.warn("{} (epoch {}) {}: its file is deleted", member.id(), member.epoch(), why);
    }

    private boolean declareDead(Member member) throws BigtableException {
        try {
            locks.delete(Paths.server(member.id()));
            depart(member);
            log.warn("{} (epoch {}) lost its lock: its file is deleted", member.id(), member.epoch());
            return true;
        } catch (RejectedException locked) {
            // It took its lock between our look and our deletion: a server that comes up, or comes back in time.
            return false;
        }
    }
}
