package bt.yarn.spec;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.base.CorruptionException;
import com.code_intelligence.jazzer.junit.FuzzTest;

/** The file of the lock service in which an application master says what it holds: any bytes are one, or CORRUPTION. */
class ApplicationFuzzTest {
    @FuzzTest
    void anyBytesAsAnApplication(byte[] bytes) throws CorruptionException {
        Application application;
        try {
            application = Application.decode("fuzz", Bytes.wrap(bytes));
        } catch (CorruptionException damaged) {
            return;
        }
        assertThat(Application.decode("again", application.encode())).isEqualTo(application);
    }
}
