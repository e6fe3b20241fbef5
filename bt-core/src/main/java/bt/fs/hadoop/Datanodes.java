package bt.fs.hadoop;

import bt.base.BigtableException;
import bt.base.Clock;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The datanodes that this process's files go to, and those of them that have fallen silent on connections that stand. HDFS takes
 * twenty seconds to give such a pipeline up, may blame the wrong one of its datanodes for it, and gives the silent one to the
 * next file as well, for ten minutes. So once a writer waits for too long they are asked, and until all answer again the files
 * that are to be written at once go to those that do. Any thread.
 */
final class Datanodes {
    private static final Logger logger = LoggerFactory.getLogger(Datanodes.class);

    /** Those of the last files: who knows all of a large cluster has to ask too many. */
    private static final int MAX_KNOWN = 16;

    private static final long LATE_MILLIS = 1_000;

    /** For an answer, as long as enough of them give one. */
    private static final long PATIENCE_MILLIS = 500;

    /** Before one that refused the connection is asked again. */
    private static final long AGAIN_MILLIS = 200;

    /** By then the NameNode gives it to nobody. */
    private static final long FORGET_MILLIS = 660_000;

    private final Question question;
    private final Scheduler scheduler;
    private final Set<Pipeline> open = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();

    /** By id; the latest seen is the last. */
    @GuardedBy("lock") private final Map<String, Known> known = new LinkedHashMap<>();

    Datanodes(Question question, Scheduler scheduler) {
        this.question = question;
        this.scheduler = scheduler;
    }

    /** Asks a datanode for anything that needs no disk. */
    @FunctionalInterface
    interface Question {
        /** For those that are slow, or asked by a process that is. Less than HDFS waits for the silent one. */
        long MAX_MILLIS = 5_000;

        /** Whether it answers within {@link #MAX_MILLIS}, or about. */
        boolean isAnswered(DatanodeInfo datanode);
    }

    private record Known(DatanodeInfo datanode, @Nullable Long silentSinceNanos) {}

    Clock clock() {
        return scheduler.clock();
    }

    /** Of a file that is begun; until {@link #forget}. */
    Pipeline watch() {
        Pipeline pipeline = new Pipeline(clock());
        open.add(pipeline);
        return pipeline;
    }

    void forget(Pipeline pipeline) {
        open.remove(pipeline);
    }

    /**
     * Where the next file is to go, the latest seen first: {@code most} datanodes or fewer that answer. None while there is no
     * doubt of any, and where fewer than {@code least} answer: then the NameNode, who knows others, is to choose.
     */
    List<DatanodeInfo> answering(int least, int most) throws BigtableException {
        List<DatanodeInfo> asked = see();
        if (asked.isEmpty() || !isDoubtful()) {
            return List.of();
        }
        List<DatanodeInfo> silent = ask(asked, least);
        remember(silent);
        if (silent.isEmpty()) {
            return List.of();
        }
        asked.removeAll(silent);
        logger.warn("datanodes {} do not answer: {} are written to", silent, asked);
        return asked.size() < least ? List.of() : List.copyOf(asked.subList(0, Math.min(most, asked.size())));
    }

    /** Takes those of the open files in; all that are known, the latest seen first. */
    private List<DatanodeInfo> see() {
        lock.lock();
        try {
            for (Pipeline pipeline : open) {
                for (DatanodeInfo each : pipeline.datanodes()) {
                    Known before = known.remove(each.getDatanodeUuid());
                    known.put(each.getDatanodeUuid(), before == null ? new Known(each, null) : before);
                }
            }
            while (known.size() > MAX_KNOWN) {
                known.remove(known.keySet().iterator().next());
            }
            List<DatanodeInfo> latestFirst = new ArrayList<>();
            known.values().forEach(each -> latestFirst.add(0, each.datanode));
            return latestFirst;
        } finally {
            lock.unlock();
        }
    }

    private boolean isDoubtful() {
        if (open.stream().anyMatch(pipeline -> pipeline.isLate(LATE_MILLIS))) {
            return true;
        }
        lock.lock();
        try {
            return known.values().stream().anyMatch(each -> each.silentSinceNanos != null);
        } finally {
            lock.unlock();
        }
    }

    private void remember(List<DatanodeInfo> silent) {
        long now = clock().nanos();
        lock.lock();
        try {
            known.replaceAll((id, each) -> {
                if (!silent.contains(each.datanode)) {
                    return new Known(each.datanode, null);
                }
                return each.silentSinceNanos == null ? new Known(each.datanode, now) : each;
            });
            known.values()
                    .removeIf(each ->
                            each.silentSinceNanos != null && now - each.silentSinceNanos > FORGET_MILLIS * 1_000_000);
        } finally {
            lock.unlock();
        }
    }

    /**
     * All at once; those that have not answered after a while. Where too few have by then, the machine has too much to do, or the
     * question is asked for the first time, or a datanode is just being restarted: then it is until enough have. The NameNode would
     * choose among all of them, the silent one too.
     */
    private List<DatanodeInfo> ask(List<DatanodeInfo> datanodes, int least) throws BigtableException {
        List<CompletableFuture<Boolean>> answers =
                datanodes.stream().map(this::ask).collect(Collectors.toCollection(ArrayList::new));
        long began = clock().nanos();
        await(answers);
        while (answered(answers) < least
                && isAnySilent(answers)
                && clock().nanos() - began < Question.MAX_MILLIS * 1_000_000) {
            pause();
            for (int i = 0; i < answers.size(); i++) {
                if (!answers.get(i).getNow(true)) {
                    // Nobody was there.
                    answers.set(i, ask(datanodes.get(i)));
                }
            }
            await(answers);
        }
        return IntStream.range(0, datanodes.size())
                .filter(i -> !answers.get(i).getNow(false))
                .mapToObj(datanodes::get)
                .toList();
    }

    private CompletableFuture<Boolean> ask(DatanodeInfo datanode) {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        scheduler.start("ask-" + datanode.getXferAddr(), () -> answer.complete(question.isAnswered(datanode)));
        return answer;
    }

    private static long answered(List<CompletableFuture<Boolean>> answers) {
        return answers.stream().filter(answer -> answer.getNow(false)).count();
    }

    private static boolean isAnySilent(List<CompletableFuture<Boolean>> answers) {
        return answered(answers) < answers.size();
    }

    private void pause() throws BigtableException {
        try {
            scheduler.pause(AGAIN_MILLIS);
        } catch (InterruptedException stopped) {
            throw interrupted();
        }
    }

    /** Until all have ended, or for as long as one that is well may take. */
    private void await(List<CompletableFuture<Boolean>> answers) throws BigtableException {
        try {
            Void unused = scheduler.await(
                    CompletableFuture.allOf(answers.toArray(new CompletableFuture<?>[0])), PATIENCE_MILLIS);
        } catch (UnavailableException late) {
            logger.debug("{}", late.getMessage());
        } catch (InterruptedException stopped) {
            throw interrupted();
        }
    }

    private static UnavailableException interrupted() {
        Thread.currentThread().interrupt();
        return new UnavailableException("interrupted while asking datanodes whether they live");
    }
}
