package bt.examples.demo;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Element;

/** The links of a page. */
final class Links {
    private Links() {}

    /**
     * Where the page's {@code <a href>} lead: absolute addresses without query and fragment, in the page's order, each with
     * the text of the first link to it. Addresses that cannot be resolved are left out; the page itself may be among them.
     */
    static Map<String, String> of(String url, String html) {
        Map<String, String> texts = new LinkedHashMap<>();
        for (Element link : Jsoup.parse(html, url).select("a[href]")) {
            String target = withoutQueryAndFragment(link.absUrl("href"));
            if (!target.isEmpty() && !texts.containsKey(target)) {
                texts.put(target, link.text());
            }
        }
        return texts;
    }

    private static String withoutQueryAndFragment(String url) {
        int end = url.length();
        for (char mark : new char[] {'#', '?'}) {
            int at = url.indexOf(mark);
            end = at < 0 ? end : Math.min(end, at);
        }
        return url.substring(0, end);
    }
}
