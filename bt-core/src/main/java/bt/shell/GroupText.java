package bt.shell;

import bt.command.UsageException;
import bt.model.Bloom;
import bt.model.LocalityGroup;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A locality group in words: {@code pages:codec=zstd,block=128k,bloom=row+column}, {@code flags:in-memory}. What is not
 * said is as in the default group.
 */
final class GroupText {
    static final String FORM = "NAME[:codec=NAME][,block=SIZE][,bloom=none|row|row+column[:BITS]][,in-memory]";

    private static final Pattern SIZE = Pattern.compile("([0-9]{1,7})(k?)");
    private static final Pattern BLOOM = Pattern.compile("(row|row\\+column)(?::([0-9]{1,2}))?");

    private GroupText() {}

    static LocalityGroup parse(String text) throws UsageException {
        int colon = text.indexOf(':');
        LocalityGroup plain = LocalityGroup.DEFAULT;
        LocalityGroup group = new LocalityGroup(
                colon < 0 ? text : text.substring(0, colon), plain.blockBytes(), plain.codec(), false, plain.bloom());
        if (colon >= 0) {
            for (String part : text.substring(colon + 1).split(",", -1)) {
                group = with(group, part, text);
            }
        }
        return group;
    }

    /** As JSON has it. */
    static Map<String, Object> document(LocalityGroup group) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("group", group.name());
        document.put("codec", group.codec());
        document.put("blockBytes", group.blockBytes());
        document.put("bloom", group.bloom().toString());
        document.put("inMemory", group.inMemory());
        return document;
    }

    private static LocalityGroup with(LocalityGroup group, String part, String text) throws UsageException {
        String value = part.substring(part.indexOf('=') + 1);
        if (part.equals("in-memory")) {
            return new LocalityGroup(group.name(), group.blockBytes(), group.codec(), true, group.bloom());
        }
        if (part.matches("codec=[a-z0-9-]{1,32}")) {
            return new LocalityGroup(group.name(), group.blockBytes(), value, group.inMemory(), group.bloom());
        }
        Matcher size = SIZE.matcher(value);
        if (part.startsWith("block=") && size.matches()) {
            int bytes = Integer.parseInt(size.group(1)) * (size.group(2).isEmpty() ? 1 : 1 << 10);
            return new LocalityGroup(group.name(), bytes, group.codec(), group.inMemory(), group.bloom());
        }
        if (part.startsWith("bloom=")) {
            return new LocalityGroup(
                    group.name(), group.blockBytes(), group.codec(), group.inMemory(), bloom(value, text));
        }
        throw wrong(text);
    }

    /** Of {@code text}, which a complaint is about. */
    static Bloom bloom(String value, String text) throws UsageException {
        if (value.equals("none")) {
            return Bloom.NONE;
        }
        Matcher bloom = BLOOM.matcher(value);
        if (!bloom.matches()) {
            throw wrong(text);
        }
        int bits = bloom.group(2) == null ? Bloom.DEFAULT_BITS_PER_KEY : Integer.parseInt(bloom.group(2));
        return new Bloom(bits, bloom.group(1).equals("row+column"));
    }

    private static UsageException wrong(String text) {
        return new UsageException(
                "\"" + text + "\" is no locality group", "write " + FORM + ", as in pages:codec=zstd,block=128k");
    }

    /** What {@link #parse} reads back, without the name. */
    static String of(LocalityGroup group) {
        return "codec=" + group.codec() + ",block=" + group.blockBytes() + ",bloom=" + group.bloom()
                + (group.inMemory() ? ",in-memory" : "");
    }
}
