package bt.thrift.convert;

/** Texts on the wire. */
final class Texts {
    /** Of a char in UTF-8, at most; a pair of surrogates takes fewer. */
    private static final long BYTES_OF_A_CHAR = 3;

    private Texts() {}

    /** No fewer than it is sent with. */
    static long bytes(String text) {
        return BYTES_OF_A_CHAR * text.length();
    }
}
