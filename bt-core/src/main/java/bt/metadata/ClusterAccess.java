package bt.metadata;

import static bt.base.Check.checkGiven;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.MistakeException;
import bt.base.RejectedException;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.coord.SmallFile;
import bt.model.AccessList;
import bt.model.Right;
import bt.record.ClusterAccessRecord;
import bt.record.UserRights;
import java.util.List;
import java.util.Optional;

/**
 * Who may create tables and administer the cluster, as the lock service's file {@code access} says at a version of it. With
 * no such file everybody may do everything, and no table has a list. One that is there always names an administrator.
 */
public record ClusterAccess(Optional<AccessList> list, long version) {
    /** The version where there is no file. */
    public static final long NO_FILE = -1;

    /** By itself the record began with how many users follow: there is always one. */
    static final RecordFile<ClusterAccessRecord> FORM = new RecordFile<>(
            ClusterAccessRecord.class, List.of(UserRights.class), new RecordFile.Bare(List.of(1, 2), 1));

    /** Nobody has looked yet: nobody may do anything. */
    public static final ClusterAccess UNKNOWN = new ClusterAccess(Optional.of(AccessList.NOBODY), -2);

    /** As it is now. */
    public static ClusterAccess read(LockService locks) throws BigtableException {
        Optional<SmallFile> file = locks.read(Paths.ACCESS);
        return file.isEmpty() ? new ClusterAccess(Optional.empty(), NO_FILE) : of(file.get());
    }

    private static ClusterAccess of(SmallFile file) throws CorruptionException {
        ClusterAccessRecord record = FORM.decode("file " + Paths.ACCESS, file.content());
        try {
            return new ClusterAccess(Optional.of(AccessCodec.decode(record.getUsers())), file.version());
        } catch (IllegalArgumentException malformed) {
            throw new CorruptionException("file " + Paths.ACCESS + ": " + MistakeException.fact(malformed));
        }
    }

    /** Whether there is a list, whatever it says. */
    public static boolean isThere(LockService locks) throws BigtableException {
        return locks.read(Paths.ACCESS).isPresent();
    }

    /**
     * As it is now, for who replaces it; of a damaged file, of which nobody knows what it said, a list of nobody. So it can be
     * mended, by whom the master asks for no list. CORRUPTION where a later program wrote it: it would lose what that one said.
     */
    public static ClusterAccess toReplace(LockService locks) throws BigtableException {
        Optional<SmallFile> file = locks.read(Paths.ACCESS);
        if (file.isEmpty()) {
            return new ClusterAccess(Optional.empty(), NO_FILE);
        }
        try {
            return of(file.get());
        } catch (CorruptionException damaged) {
            if (FORM.isOfLater(file.get().content())) {
                throw damaged;
            }
            return new ClusterAccess(Optional.of(AccessList.NOBODY), file.get().version());
        }
    }

    /** Whether the user has the right, by name, as one of everybody, or because there is no list. */
    public boolean allows(String user, Right right) {
        return list.isEmpty() || list.get().allows(user, right);
    }

    /** Replaces it. REJECTED where it has changed since this was read, or the list names no administrator. */
    public void replace(AccessList wanted, LockService locks) throws BigtableException {
        try {
            check(wanted);
        } catch (IllegalArgumentException refused) {
            throw RejectedException.of("the cluster's rights", refused, "correct the list");
        }
        Bytes content = FORM.encode(new ClusterAccessRecord(encode(wanted)));
        if (version == NO_FILE) {
            locks.create(Paths.ACCESS, content);
        } else {
            locks.write(Paths.ACCESS, content, version);
        }
    }

    private static void check(AccessList wanted) {
        checkGiven(
                wanted.users().values().stream().allMatch(Right.OF_CLUSTERS::containsAll),
                "read, write and script are rights of a table",
                "name those of a cluster, which are %s",
                Right.text(Right.OF_CLUSTERS));
        checkGiven(
                wanted.gives(Right.ADMIN),
                "nobody would be left who may change them",
                "first grant admin to another user");
    }

    /** For messages. */
    public static List<UserRights> encode(AccessList list) {
        return AccessCodec.encode(list);
    }

    /** The other way round; REJECTED for what is no list. */
    public static AccessList decode(List<UserRights> users) throws RejectedException {
        try {
            return AccessCodec.decode(users);
        } catch (IllegalArgumentException malformed) {
            throw RejectedException.of("the cluster's rights", malformed, "correct the list");
        }
    }
}
