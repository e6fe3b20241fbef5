package bt.examples.hostile;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Messages that are nearly right: a right one with a few edits, or no message at all. One thread. */
final class Mutations {
    private static final int MOST_EDITS = 6;
    private static final int MOST_INSERTED = 32;
    private static final int MOST_RANDOM = 300;
    private static final int NONSENSE_ONE_OF = 10;

    private final List<byte[]> right;
    private final SplittableRandom random;

    Mutations(List<byte[]> right, SplittableRandom random) {
        this.right = List.copyOf(right);
        this.random = random;
    }

    byte[] next() {
        if (random.nextInt(NONSENSE_ONE_OF) == 0) {
            byte[] nonsense = new byte[random.nextInt(MOST_RANDOM)];
            random.nextBytes(nonsense);
            return nonsense;
        }
        byte[] message = right.get(random.nextInt(right.size())).clone();
        int edits = 1 + random.nextInt(MOST_EDITS);
        for (int i = 0; i < edits && message.length > 0; i++) {
            message = edited(message);
        }
        return message;
    }

    private byte[] edited(byte[] message) {
        int at = random.nextInt(message.length);
        return switch (random.nextInt(6)) {
            case 0 -> with(message, at, message[at] ^ 1 << random.nextInt(8));
            case 1 -> with(message, at, random.nextInt(256));
            case 2 -> with(message, at, random.nextBoolean() ? 0xff : 0x80);
            case 3 -> Arrays.copyOf(message, at);
            case 4 -> inserted(message, at);
            default -> crossed(message, at);
        };
    }

    private static byte[] with(byte[] message, int at, int value) {
        message[at] = (byte) value;
        return message;
    }

    /** Bytes of nobody's, often such as lengths without end are made of. */
    private byte[] inserted(byte[] message, int at) {
        byte[] more = new byte[1 + random.nextInt(MOST_INSERTED)];
        if (random.nextBoolean()) {
            Arrays.fill(more, (byte) 0xff);
        } else {
            random.nextBytes(more);
        }
        byte[] longer = Arrays.copyOf(message, message.length + more.length);
        System.arraycopy(more, 0, longer, at, more.length);
        System.arraycopy(message, at, longer, at + more.length, message.length - at);
        return longer;
    }

    /** The beginning of one and the end of another. */
    private byte[] crossed(byte[] message, int at) {
        byte[] other = right.get(random.nextInt(right.size()));
        int from = random.nextInt(other.length);
        byte[] both = Arrays.copyOf(message, at + other.length - from);
        System.arraycopy(other, from, both, at, other.length - from);
        return both;
    }
}
