package bt.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetector.Level;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LeakSearchTest {
    private final Level before = ResourceLeakDetector.getLevel();

    @BeforeEach
    void search() {
        ResourceLeakDetector.setLevel(Level.ADVANCED);
    }

    @AfterEach
    void restore() {
        ResourceLeakDetector.setLevel(before);
    }

    @Test
    void isOffWhereNobodySaysHowItShouldBe() {
        LeakSearch.offUnlessAsked(name -> null);
        assertThat(ResourceLeakDetector.getLevel()).isEqualTo(Level.DISABLED);
    }

    @Test
    void staysAsNettysPropertiesSay() {
        LeakSearch.offUnlessAsked(Map.of("io.netty.leakDetection.level", "advanced")::get);
        LeakSearch.offUnlessAsked(Map.of("io.netty.leakDetectionLevel", "advanced")::get);
        assertThat(ResourceLeakDetector.getLevel()).isEqualTo(Level.ADVANCED);
    }

    @Test
    void goesOnInOurOwnTests() {
        Transport.ofProcess();
        assertThat(before).isNotEqualTo(Level.DISABLED);
        assertThat(ResourceLeakDetector.getLevel()).isNotEqualTo(Level.DISABLED);
    }
}
