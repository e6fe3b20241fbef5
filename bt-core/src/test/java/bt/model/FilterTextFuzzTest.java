package bt.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;

/** Any text is a filter, which prints as a text that means the same, or is refused at a place in it. */
class FilterTextFuzzTest {
    @FuzzTest
    void anyText(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        Filter filter;
        try {
            filter = FilterText.parse(text);
        } catch (FilterText.Malformed wrong) {
            assertThat(wrong.at()).isBetween(0, text.length());
            return;
        }
        assertThat(FilterText.parse(FilterText.print(filter))).isEqualTo(filter);
    }
}
