package bt.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import bt.base.BigtableException;
import bt.base.Input;
import bt.base.Output;
import bt.base.OverloadedException;
import bt.testing.SeededTest;
import java.util.List;
import java.util.random.RandomGenerator;

class CodecPropertyTest {
    @SeededTest(runs = 300)
    void requestsComeBackAsTheyWere(RandomGenerator random) throws BigtableException {
        Request request = new RandomMessages(random).request();
        Output out = new Output();
        Codec.encode(request, out);
        assertThat(Codec.decodeRequest(Input.of("request", out.toBytes()))).isEqualTo(request);
    }

    @SeededTest(runs = 300)
    void answersComeBackAsTheyWere(RandomGenerator random) throws BigtableException {
        Answer answer = new RandomMessages(random).answer();
        Output out = new Output();
        Codec.encode(answer, out);
        Answer back = Codec.decodeAnswer(Input.of("answer", out.toBytes()));
        if (answer instanceof Answer.Mutated mutated) {
            assertThat(facts((Answer.Mutated) back)).isEqualTo(facts(mutated));
        } else {
            assertThat(back).isEqualTo(answer);
        }
    }

    @SeededTest(runs = 100)
    void failuresComeBackAsTheyWere(RandomGenerator random) throws BigtableException {
        BigtableException failure = new RandomMessages(random).failure();
        Output out = new Output();
        Codec.encode(failure, out);
        BigtableException back = Codec.decodeFailure(Input.of("failure", out.toBytes()));
        assertThat(back).hasSameClassAs(failure).hasMessage(failure.getMessage());
        assertThat(back.outcome()).isEqualTo(failure.outcome());
        if (failure instanceof OverloadedException later) {
            assertThat(((OverloadedException) back).retryAfterMillis()).isEqualTo(later.retryAfterMillis());
        }
    }

    @SeededTest(runs = 300)
    void everyPrefixOfARequestIsRefused(RandomGenerator random) {
        Output out = new Output();
        Codec.encode(new RandomMessages(random).request(), out);
        int length = random.nextInt(out.size());
        Input half = new Input("half", 0, out.array(), 0, length);
        try {
            fail("%d of %d bytes are %s", length, out.size(), Codec.decodeRequest(half));
        } catch (BigtableException expected) {
            assertThat(expected).hasMessageContaining(" ");
        }
    }

    /** More than fuzzing reaches in a test's time: what is wrong is one byte in a message that is otherwise whole. */
    @SeededTest(runs = 500)
    void aChangedByteDecodesOrIsRefused(RandomGenerator random) {
        Output out = new Output();
        RandomMessages messages = new RandomMessages(random);
        boolean request = random.nextBoolean();
        if (request) {
            Codec.encode(messages.request(), out);
        } else {
            Codec.encode(messages.answer(), out);
        }
        byte[] bytes = out.toArray();
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        Input in = new Input("damaged", 0, bytes, 0, bytes.length);
        try {
            Object decoded = request ? Codec.decodeRequest(in) : Codec.decodeAnswer(in);
            assertThat(decoded).isNotNull();
        } catch (BigtableException refused) {
            assertThat(refused.kind()).isIn(BigtableException.Kind.CORRUPTION, BigtableException.Kind.REJECTED);
        }
    }

    /** Exceptions are equal to themselves only. */
    private static List<String> facts(Answer.Mutated answer) {
        return answer.results().stream()
                .map(result -> result.answer() + " " + result.failure().map(f -> f.outcome() + " " + f))
                .toList();
    }
}
