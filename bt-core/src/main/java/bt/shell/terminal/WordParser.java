package bt.shell.terminal;

import java.util.ArrayList;
import java.util.List;
import org.jline.reader.EOFError;
import org.jline.reader.ParsedLine;
import org.jline.reader.Parser;

/** Tells JLine which {@link Word}s a line has, and that a line whose quote is open goes on with the next one. */
final class WordParser implements Parser {
    @Override
    public ParsedLine parse(String line, int cursor, ParseContext context) {
        List<Word> words = Word.cut(line);
        if (context == ParseContext.ACCEPT_LINE
                && !OpenQuote.isComment(line)
                && words.stream().anyMatch(Word::isOpen)) {
            throw new EOFError(-1, -1, "a quote is not closed", "quote");
        }
        List<String> texts = new ArrayList<>(words.stream().map(Word::text).toList());
        int index = (int) words.stream().filter(word -> word.end() < cursor).count();
        if (index == words.size() || words.get(index).start() > cursor) {
            texts.add(index, "");
            return new LineWords(line, cursor, texts, index, 0, 0, 0);
        }
        Word current = words.get(index);
        String before = line.substring(current.start(), cursor);
        int wordCursor =
                Word.cut(before).stream().mapToInt(word -> word.text().length()).sum();
        return new LineWords(line, cursor, texts, index, wordCursor, before.length(), current.end() - current.start());
    }

    /** A backslash begins a byte and quotes nothing. */
    @Override
    public boolean isEscapeChar(char c) {
        return false;
    }
}
