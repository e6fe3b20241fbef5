package bt.shell.terminal;

import java.util.List;
import org.jline.reader.CompletingParsedLine;

/**
 * A line cut into words, with the one that the cursor stands in.
 *
 * @param words without their quotes
 * @param wordIndex of the word with the cursor; it may be one that has not been begun
 * @param wordCursor where in it, without its quotes
 * @param rawWordCursor where in it, with them
 * @param rawWordLength how long it is with them, up to the cursor and beyond
 */
record LineWords(
        String line,
        int cursor,
        List<String> words,
        int wordIndex,
        int wordCursor,
        int rawWordCursor,
        int rawWordLength)
        implements CompletingParsedLine {
    LineWords {
        words = List.copyOf(words);
    }

    @Override
    public String word() {
        return words.get(wordIndex);
    }

    /** Names of commands, tables and families have nothing that needs quotes. */
    @Override
    public CharSequence escape(CharSequence candidate, boolean complete) {
        return candidate;
    }
}
