package bt.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.base.Crc32c;
import bt.base.Output;
import bt.model.Cell;
import bt.model.ColumnKey;
import bt.model.Filter;
import bt.model.RowRange;
import bt.protocol.Answer;
import bt.protocol.Codec;
import bt.protocol.PageBounds;
import bt.protocol.Request;
import io.netty.buffer.ByteBufUtil;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The examples of docs/formats/wire.md are what is written today, and can be read. */
class WirePageTest {
    private static final Request REQUEST = new Request.Scan(
            7, RowRange.row(Bytes.utf8("r")), new Filter.Latest(1), new PageBounds(1, 10, 1000), Optional.empty());
    private static final Answer ANSWER = new Answer.Page(
            List.of(
                    new Cell(Bytes.utf8("r"), ColumnKey.of("f", "a"), 5, Bytes.utf8("one")),
                    new Cell(Bytes.utf8("r"), ColumnKey.of("f", "b"), 5, Bytes.utf8("two"))),
            Optional.empty(),
            Optional.empty(),
            1,
            2);

    @Test
    void theExamplesAreWhatIsWritten() throws IOException {
        Output hello = Frame.begin(Frame.Kind.HELLO, 0, 0);
        new Hello(0x0807060504030201L, "ada").encode(hello);
        Output request = Frame.begin(Frame.Kind.REQUEST, 1, 5_000);
        Codec.encode(REQUEST, request);
        Output answer = Frame.begin(Frame.Kind.ANSWER, 1, 0);
        Codec.encode(ANSWER, answer);
        assertThat(examples()).containsExactly(hex(hello), hex(request), hex(answer));
    }

    @Test
    void theExamplesCanBeRead() throws IOException {
        List<String> examples = examples();
        assertThat(Hello.decode(frame(examples.get(0)).body("page"))).isEqualTo(new Hello(0x0807060504030201L, "ada"));
        assertThat(Codec.decodeRequest(frame(examples.get(1)).body("page"))).isEqualTo(REQUEST);
        assertThat(Codec.decodeAnswer(frame(examples.get(2)).body("page"))).isEqualTo(ANSWER);
    }

    private static Frame frame(String hex) throws IOException {
        byte[] bytes = Bytes.hex(hex).toArray();
        return whole(Frame.Header.decode(bytes, RpcLimits.MAX_FRAME_BYTES), bytes);
    }

    /** One that has come as a whole. */
    static Frame whole(Frame.Header header, byte[] bytes) throws IOException {
        Crc32c.Sum sum = new Crc32c.Sum();
        Frame.beginSum(sum, bytes);
        sum.add(bytes, Frame.HEADER_BYTES, bytes.length - Frame.HEADER_BYTES);
        return Frame.of(header, bytes, sum);
    }

    private static String hex(Output out) {
        return ByteBufUtil.hexDump(Frame.finish(out));
    }

    private static List<String> examples() throws IOException {
        String page = Files.readString(Path.of("../docs/formats/wire.md"));
        Matcher block = Pattern.compile("```wire\n(.*?)```", Pattern.DOTALL).matcher(page);
        List<String> frames = new ArrayList<>();
        while (block.find()) {
            StringBuilder digits = new StringBuilder();
            for (String line : block.group(1).split("\n", -1)) {
                digits.append(line.split("   ", 2)[0].replace(" ", ""));
            }
            frames.add(digits.toString());
        }
        return frames;
    }
}
