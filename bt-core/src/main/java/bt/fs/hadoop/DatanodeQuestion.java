package bt.fs.hadoop;

import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.ClientDatanodeProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.ipc.RPC;

/** Asks a datanode who it is. A refusal is an answer too: what is to be known is whether anybody is there. */
final class DatanodeQuestion implements Datanodes.Question {
    private final Configuration settings;
    private final boolean byName;

    DatanodeQuestion(Configuration clients) {
        this.settings = new Configuration(clients);
        settings.setLong("ipc.client.connect.timeout", MAX_MILLIS);
        settings.setInt("ipc.client.connect.max.retries", 0);
        settings.setInt("ipc.client.connect.max.retries.on.timeouts", 0);
        this.byName = settings.getBoolean(
                HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME,
                HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME_DEFAULT);
    }

    @Override
    public boolean isAnswered(DatanodeInfo datanode) {
        ClientDatanodeProtocol proxy = null;
        try {
            proxy = DFSUtilClient.createClientDatanodeProtocolProxy(datanode, settings, (int) MAX_MILLIS, byName);
            proxy.getDatanodeInfo();
            return true;
        } catch (SocketTimeoutException | ConnectException | NoRouteToHostException nobody) {
            return false;
        } catch (IOException refused) {
            return true;
        } finally {
            if (proxy != null) {
                RPC.stopProxy(proxy);
            }
        }
    }
}
