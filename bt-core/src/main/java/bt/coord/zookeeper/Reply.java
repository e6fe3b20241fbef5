package bt.coord.zookeeper;

import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * What ZooKeeper said. Repeated: an earlier attempt lost its connection and may have been done, so a refusal may be the
 * echo of our own success.
 */
record Reply<T>(Code code, @Nullable T value, boolean repeated) {
    static <T> Reply<T> of(int code, @Nullable T value) {
        return new Reply<>(Code.get(code), value, false);
    }

    Reply<T> afterOthers(boolean others) {
        return others ? new Reply<>(code, value, true) : this;
    }

    boolean is(Code that) {
        return code == that;
    }

    T get() {
        T present = value;
        if (present == null) {
            throw new IllegalStateException("ZooKeeper answered " + code + " without a value");
        }
        return present;
    }
}
