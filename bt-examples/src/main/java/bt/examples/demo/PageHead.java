package bt.examples.demo;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;

/** What a page says of itself: its title, and its language as a tag of BCP 47, {@code und} when it says none. */
record PageHead(String title, String language) {
    private static final Pattern END = Pattern.compile("</head>", Pattern.CASE_INSENSITIVE);
    private static final String UNDETERMINED = "und";

    /** Only the head is parsed: bodies are hundred times as long. */
    static PageHead of(String html) {
        Matcher end = END.matcher(html);
        Document head = Jsoup.parse(end.find() ? html.substring(0, end.end()) : html);
        String language = head.select("html").attr("lang").strip();
        return new PageHead(head.title(), language.isEmpty() ? UNDETERMINED : language);
    }
}
