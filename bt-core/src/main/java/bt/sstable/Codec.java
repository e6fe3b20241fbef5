package bt.sstable;

/**
 * How a block is compressed by itself. A user's own is found through {@link java.util.ServiceLoader}: a public class with a
 * public constructor without parameters, named in {@code META-INF/services/bt.sstable.Codec} on the class path of every
 * server, with a number of {@value #USERS_FIRST} to {@value #USERS_LAST} and a name that no other codec has. Number and
 * name are in the files and never change. Any thread, many at once.
 */
public interface Codec extends BlockEncoder, BlockDecoder {
    Codec NONE = new NoneCodec();
    int USERS_FIRST = 128;
    int USERS_LAST = 255;

    /** What a locality group's {@code codec} says. */
    @Override
    String name();
}
