package bt.thrift.convert;

import static bt.thrift.convert.Given.present;
import static bt.thrift.convert.Given.valid;

import bt.base.Bytes;
import bt.base.RejectedException;
import bt.model.Quotas;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/** Quotas of tables. */
final class TableQuotas {
    /** What quotas, and one of a user, take in an answer beside the user's name, whatever the protocol. */
    private static final long OVERHEAD = 48;

    private TableQuotas() {}

    static bt.thrift.gen.Quotas of(Quotas quotas) {
        bt.thrift.gen.Quotas described = new bt.thrift.gen.Quotas();
        quotas.tableBytes().ifPresent(described::setTableBytes);
        quotas.eachUserBytes().ifPresent(described::setEachUserBytes);
        return quotas.userBytes().isEmpty() ? described : described.setUserBytes(new TreeMap<>(quotas.userBytes()));
    }

    static long bytes(Quotas quotas) {
        return OVERHEAD
                + quotas.userBytes().keySet().stream()
                        .mapToLong(user -> OVERHEAD + Bytes.utf8(user).length())
                        .sum();
    }

    static Quotas of(bt.thrift.gen.Quotas given) throws RejectedException {
        SortedMap<String, Long> users = new TreeMap<>();
        if (given.isSetUserBytes()) {
            for (Map.Entry<String, Long> user : given.getUserBytes().entrySet()) {
                users.put(present(user.getKey(), "a user"), present(user.getValue(), "the quota of a user"));
            }
        }
        return valid(() -> new Quotas(
                given.isSetTableBytes() ? OptionalLong.of(given.getTableBytes()) : OptionalLong.empty(),
                given.isSetEachUserBytes() ? OptionalLong.of(given.getEachUserBytes()) : OptionalLong.empty(),
                users));
    }
}
