package bt.thrift.convert;

import static bt.thrift.convert.Given.present;
import static bt.thrift.convert.Given.valid;

import bt.base.Bytes;
import bt.base.RejectedException;
import bt.model.Bloom;
import bt.model.LocalityGroup;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Locality groups. */
final class Groups {
    /** What one takes in an answer beside its name and its codec, whatever the protocol. */
    private static final long OVERHEAD = 64;

    private Groups() {}

    static bt.thrift.gen.LocalityGroup of(LocalityGroup group) {
        bt.thrift.gen.Bloom bloom = new bt.thrift.gen.Bloom()
                .setBitsPerKey(group.bloom().bitsPerKey())
                .setByColumn(group.bloom().byColumn());
        return new bt.thrift.gen.LocalityGroup(group.name())
                .setBlockBytes(group.blockBytes())
                .setCodec(group.codec())
                .setInMemory(group.inMemory())
                .setBloom(bloom);
    }

    static long bytes(LocalityGroup group) {
        return OVERHEAD
                + Bytes.utf8(group.name()).length()
                + Bytes.utf8(group.codec()).length();
    }

    /** None of them twice, each as in a new table where nothing is said. */
    static List<LocalityGroup> of(List<bt.thrift.gen.LocalityGroup> given) throws RejectedException {
        List<LocalityGroup> groups = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (bt.thrift.gen.LocalityGroup one : given) {
            LocalityGroup group = of(present(one, "a locality group"));
            if (!names.add(group.name())) {
                throw new RejectedException("the locality group " + group.name() + " twice", "name it once");
            }
            groups.add(group);
        }
        return groups;
    }

    private static LocalityGroup of(bt.thrift.gen.LocalityGroup given) throws RejectedException {
        String name = present(given.getName(), "the name of a locality group");
        LocalityGroup usual = LocalityGroup.DEFAULT;
        Bloom bloom = given.isSetBloom() ? of(given.getBloom()) : usual.bloom();
        return valid(() -> new LocalityGroup(
                name,
                given.isSetBlockBytes() ? given.getBlockBytes() : usual.blockBytes(),
                given.isSetCodec() ? given.getCodec() : usual.codec(),
                given.isInMemory(),
                bloom));
    }

    private static Bloom of(bt.thrift.gen.Bloom given) throws RejectedException {
        int bitsPerKey = given.isSetBitsPerKey() ? given.getBitsPerKey() : Bloom.DEFAULT_BITS_PER_KEY;
        return valid(() -> new Bloom(bitsPerKey, given.isByColumn()));
    }
}
