package bt.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Input;
import bt.base.Output;
import bt.model.Cell;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.Optional;

/** Any bytes decode or are one of the five kinds; what decodes can be written and read again. */
class CodecFuzzTest {
    @FuzzTest
    void anyBytesAreARequestOrRefused(byte[] bytes) throws BigtableException {
        Request request;
        try {
            request = Codec.decodeRequest(new Input("fuzz", 0, bytes, 0, bytes.length));
        } catch (BigtableException refused) {
            return;
        }
        Output out = new Output();
        Codec.encode(request, out);
        assertThat(Codec.decodeRequest(Input.of("again", out.toBytes())).kind()).isEqualTo(request.kind());
    }

    @FuzzTest
    void anyBytesAreAnAnswerOrRefused(byte[] bytes) throws BigtableException {
        Optional<Bytes> edge = Codec.edge(new Input("fuzz", 0, bytes, 0, bytes.length));
        Answer answer;
        try {
            answer = Codec.decodeAnswer(new Input("fuzz", 0, bytes, 0, bytes.length));
        } catch (BigtableException refused) {
            return;
        }
        if (answer instanceof Answer.Page page) {
            int cells = 0;
            for (Cell cell : page.cells()) {
                cells += cell.column().family().isEmpty() ? 0 : 1;
            }
            assertThat(cells).isEqualTo(page.cells().size());
            assertThat(edge).isEqualTo(page.resume().isPresent() ? Optional.empty() : page.next());
        }
        Output out = new Output();
        Codec.encode(answer, out);
        assertThat(Codec.decodeAnswer(Input.of("again", out.toBytes())).kind()).isEqualTo(answer.kind());
    }

    @FuzzTest
    void anyBytesAreAFailureOrRefused(byte[] bytes) {
        try {
            assertThat(Codec.decodeFailure(new Input("fuzz", 0, bytes, 0, bytes.length)))
                    .isNotNull();
        } catch (BigtableException refused) {
            assertThat(refused.kind()).isEqualTo(BigtableException.Kind.CORRUPTION);
        }
    }
}
