package bt.fs.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.UnavailableException;
import bt.fs.NoRoomException;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.DSQuotaExceededException;
import org.apache.hadoop.hdfs.protocol.NSQuotaExceededException;
import org.apache.hadoop.hdfs.protocol.QuotaByStorageTypeExceededException;
import org.apache.hadoop.hdfs.server.namenode.SafeModeException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;

class HadoopErrorsTest {
    /** As HDFS's output stream throws them, and as its other calls do. Who is refused so waits longer than for an outage. */
    @Test
    void aFullQuotaAndSafeModeAreRefusalsHoweverTheyCome() {
        for (IOException refusal : List.of(
                new DSQuotaExceededException("full"),
                new NSQuotaExceededException("full"),
                new QuotaByStorageTypeExceededException("full"),
                new SafeModeException("Cannot create file. Name node is in safe mode."))) {
            assertThat(isRefusal(refusal)).as("%s", refusal).isTrue();
            assertThat(isRefusal(new RemoteException(refusal.getClass().getName(), "full")))
                    .as("%s from afar", refusal)
                    .isTrue();
        }
    }

    @Test
    void whoCannotBeReachedAndWhoMayNotAreNone() {
        assertThat(isRefusal(new IOException("Connection refused"))).isFalse();
        assertThat(isRefusal(new RemoteException(AccessControlException.class.getName(), "not you")))
                .isFalse();
    }

    private static boolean isRefusal(IOException error) {
        BigtableException told = HadoopErrors.of("log/1", error);
        assertThat(told).isInstanceOf(UnavailableException.class).hasMessageStartingWith("log/1: ");
        return NoRoomException.isCauseOf(told);
    }
}
