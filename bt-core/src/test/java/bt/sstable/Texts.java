package bt.sstable;

import static java.nio.charset.StandardCharsets.UTF_8;

import bt.base.Bytes;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/** Pages as a generator of web pages makes them: long strings that come again and again, round little that is new. */
final class Texts {
    private static final int BOILERPLATES = 20;

    private Texts() {}

    static SortedMap<Bytes, Bytes> pages(RandomGenerator random, int count) {
        String[] boilerplates = new String[BOILERPLATES];
        for (int i = 0; i < BOILERPLATES; i++) {
            boilerplates[i] = words(random, 10 + random.nextInt(60));
        }
        SortedMap<Bytes, Bytes> pages = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            StringBuilder page = new StringBuilder();
            for (int part = random.nextInt(30); part > 0; part--) {
                page.append(boilerplates[random.nextInt(BOILERPLATES)]);
                page.append(words(random, random.nextInt(8)));
            }
            pages.put(
                    Bytes.utf8(String.format("page%05d/contents", i)),
                    Bytes.wrap(page.toString().getBytes(UTF_8)));
        }
        return pages;
    }

    private static String words(RandomGenerator random, int count) {
        StringBuilder words = new StringBuilder();
        for (int i = 0; i < count; i++) {
            words.append(Integer.toString(random.nextInt(40_000), 36)).append(' ');
        }
        return words.toString();
    }
}
