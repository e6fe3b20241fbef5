package bt.coord.zookeeper;

import bt.base.Bytes;
import bt.coord.SmallFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/** The requests that we send. A session answers them in their order, which is what makes sync before read work. */
final class Requests {
    private static final int ANY_VERSION = -1;

    private Requests() {}

    static SmallFile file(Bytes content, Stat stat) {
        return new SmallFile(
                content, stat.getVersion(), stat.getCzxid(), TimeUnit.MILLISECONDS.toMicros(stat.getMtime()));
    }

    static Attempt<SmallFile> read(String path) {
        return (zooKeeper, reply) -> {
            sync(zooKeeper, path, reply);
            zooKeeper.getData(
                    path,
                    false,
                    (code, asked, context, data, stat) ->
                            reply.complete(Reply.of(code, stat == null ? null : file(bytes(data), stat))),
                    null);
        };
    }

    /**
     * Of each node, in their order; of one that is not there, nothing. One sync makes all as new. Each is an answer of its own, for
     * together they may be more than a client takes at once; none is waited for before the next is asked for.
     */
    static Attempt<List<Optional<SmallFile>>> readEach(List<String> paths) {
        return (zooKeeper, reply) -> {
            sync(zooKeeper, paths.get(0), reply);
            // Only the thread that brings the answers adds, in the order of the requests.
            List<Optional<SmallFile>> files = new ArrayList<>();
            for (String path : paths) {
                zooKeeper.getData(
                        path,
                        false,
                        (code, asked, context, data, stat) -> {
                            if (code != Code.OK.intValue() && code != Code.NONODE.intValue()) {
                                reply.complete(Reply.of(code, null));
                                return;
                            }
                            files.add(stat == null ? Optional.empty() : Optional.of(file(bytes(data), stat)));
                            if (files.size() == paths.size()) {
                                reply.complete(Reply.of(Code.OK.intValue(), files));
                            }
                        },
                        null);
            }
        };
    }

    static Attempt<List<String>> children(String path) {
        return (zooKeeper, reply) -> {
            sync(zooKeeper, path, reply);
            zooKeeper.getChildren(
                    path, false, (code, asked, context, names, stat) -> reply.complete(Reply.of(code, names)), null);
        };
    }

    /** Of each node, in their order; of one that is not there, none. One sync makes all as new, for they are read behind it. */
    static Attempt<List<List<String>>> childrenOfEach(List<String> paths) {
        List<Op> all = paths.stream().map(Op::getChildren).toList();
        return (zooKeeper, reply) -> {
            sync(zooKeeper, paths.get(0), reply);
            zooKeeper.multi(
                    all, (code, asked, context, results) -> reply.complete(childrenOfEach(code, results)), null);
        };
    }

    /** The code is that of the first that failed, if any did; without results it is of all. */
    private static Reply<List<List<String>>> childrenOfEach(int code, @Nullable List<OpResult> results) {
        if (results == null) {
            return Reply.of(code, null);
        }
        List<List<String>> children = new ArrayList<>();
        for (OpResult result : results) {
            if (result instanceof OpResult.GetChildrenResult found) {
                children.add(found.getChildren());
            } else if (result instanceof OpResult.ErrorResult failed && failed.getErr() == Code.NONODE.intValue()) {
                children.add(List.of());
            } else {
                return Reply.of(code, null);
            }
        }
        return Reply.of(Code.OK.intValue(), children);
    }

    /** Answers only failures: the read behind it brings the success. */
    private static <T> void sync(ZooKeeper zooKeeper, String path, CompletableFuture<Reply<T>> reply) {
        zooKeeper.sync(
                path,
                (code, asked, context) -> {
                    if (code != 0) {
                        reply.complete(Reply.of(code, null));
                    }
                },
                null);
    }

    static Attempt<Stat> create(String path, Bytes content, List<ACL> acl, CreateMode mode) {
        return (zooKeeper, reply) -> zooKeeper.create(
                path,
                content.toArray(),
                acl,
                mode,
                (code, asked, context, name, stat) -> reply.complete(Reply.of(code, stat)),
                null);
    }

    static Attempt<Stat> write(String path, Bytes content, int version) {
        return (zooKeeper, reply) -> zooKeeper.setData(
                path,
                content.toArray(),
                version,
                (code, asked, context, stat) -> reply.complete(Reply.of(code, stat)),
                null);
    }

    static Attempt<Stat> delete(String path) {
        return (zooKeeper, reply) -> zooKeeper.delete(
                path, ANY_VERSION, (code, asked, context) -> reply.complete(Reply.of(code, null)), null);
    }

    /** An ephemeral node of this session in the place of another's that has the version. */
    static Attempt<Stat> replace(String path, Bytes content, List<ACL> acl, int version) {
        List<Op> both =
                List.of(Op.delete(path, version), Op.create(path, content.toArray(), acl, CreateMode.EPHEMERAL));
        return (zooKeeper, reply) ->
                zooKeeper.multi(both, (code, asked, context, results) -> reply.complete(Reply.of(code, null)), null);
    }

    /** A node, and the version that it must have. */
    record Held(String path, int version) {}

    /** A node while another one has the version, or nothing. */
    static Attempt<Stat> createWhile(Held held, String path, Bytes content, List<ACL> acl) {
        List<Op> both = List.of(
                Op.check(held.path, held.version), Op.create(path, content.toArray(), acl, CreateMode.PERSISTENT));
        return (zooKeeper, reply) ->
                zooKeeper.multi(both, (code, asked, context, results) -> reply.complete(Reply.of(code, null)), null);
    }

    /** The content of a node that has a version, while another one has its version, or nothing. */
    static Attempt<Stat> writeWhile(Held held, String path, Bytes content, int version) {
        List<Op> both = List.of(Op.check(held.path, held.version), Op.setData(path, content.toArray(), version));
        return (zooKeeper, reply) -> zooKeeper.multi(
                both,
                (code, asked, context, results) -> reply.complete(Reply.of(code, code == 0 ? stat(results) : null)),
                null);
    }

    private static Stat stat(List<OpResult> results) {
        return ((OpResult.SetDataResult) results.get(results.size() - 1)).getStat();
    }

    /** All these nodes, children before what they are below, while another node has its version, or nothing. */
    static Attempt<Stat> deleteAllWhile(Held held, List<String> paths) {
        List<Op> all = new ArrayList<>();
        all.add(Op.check(held.path, held.version));
        paths.forEach(path -> all.add(Op.delete(path, ANY_VERSION)));
        return (zooKeeper, reply) ->
                zooKeeper.multi(all, (code, asked, context, results) -> reply.complete(Reply.of(code, null)), null);
    }

    /** Who may do what with a node, and the version of that. */
    record Access(List<ACL> list, int version) {}

    static Attempt<Access> access(String path) {
        return (zooKeeper, reply) -> {
            sync(zooKeeper, path, reply);
            zooKeeper.getACL(
                    path,
                    new Stat(),
                    (code, asked, context, list, stat) -> reply.complete(
                            Reply.of(code, stat == null ? null : new Access(List.copyOf(list), stat.getAversion()))),
                    null);
        };
    }

    static Attempt<Stat> setAccess(String path, List<ACL> list, int version) {
        return (zooKeeper, reply) -> zooKeeper.setACL(
                path, list, version, (code, asked, context, stat) -> reply.complete(Reply.of(code, stat)), null);
    }

    static Attempt<Stat> exists(String path) {
        return (zooKeeper, reply) -> zooKeeper.exists(
                path, false, (code, asked, context, stat) -> reply.complete(Reply.of(code, stat)), null);
    }

    static Attempt<Stat> watch(FileWatch watch) {
        return (zooKeeper, reply) -> watch(zooKeeper, watch, code -> reply.complete(new Reply<>(code, null, false)));
    }

    /** Stays armed over changes and reconnections, and on a path that is not there yet. */
    static void watch(ZooKeeper zooKeeper, FileWatch watch, Consumer<Code> answered) {
        zooKeeper.addWatch(
                watch.path(),
                watch,
                AddWatchMode.PERSISTENT,
                (code, asked, context) -> answered.accept(Code.get(code)),
                null);
    }

    private static Bytes bytes(byte @Nullable [] data) {
        return data == null ? Bytes.EMPTY : Bytes.wrap(data);
    }
}
