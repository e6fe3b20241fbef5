package bt.fs.hadoop;

import bt.base.BigtableException;
import bt.base.CorruptionException;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.fs.NoRoomException;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.fs.ClusterStorageCapacityExceededException;
import org.apache.hadoop.fs.FSExceptionMessages;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.hdfs.protocol.AlreadyBeingCreatedException;
import org.apache.hadoop.hdfs.server.namenode.SafeModeException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;

/** What HDFS says, as one of the five kinds. */
final class HadoopErrors {
    private HadoopErrors() {}

    static BigtableException of(String path, IOException error) {
        IOException cause = unwrap(error);
        keepInterrupt(cause);
        if (cause instanceof BigtableException known) {
            return known;
        }
        if (cause instanceof FileAlreadyExistsException || cause instanceof AlreadyBeingCreatedException) {
            return new RejectedException(path + ": exists already", "choose another name").causedBy(cause);
        }
        if (cause instanceof FileNotFoundException) {
            return new UnavailableException(path + ": there is no such file or directory").causedBy(cause);
        }
        // A missing block is not among them: the datanodes that hold it may come back. Whether they are away tells
        // Damage.
        if (cause instanceof ChecksumException || isShort(cause)) {
            return new CorruptionException(path + ": " + firstLine(cause)).causedBy(cause);
        }
        String message = path + ": " + firstLine(cause);
        return isRefusal(error, cause)
                ? NoRoomException.unavailable(message, cause)
                : new UnavailableException(message).causedBy(cause);
    }

    /**
     * Whether the NameNode answers, and has a reason not to do it now. What it has against one of its users it may not have
     * against others. HDFS's output stream unwraps some of what the NameNode says.
     */
    private static boolean isRefusal(IOException error, IOException cause) {
        return cause instanceof ClusterStorageCapacityExceededException
                || cause instanceof SafeModeException
                || (error instanceof RemoteException && !(cause instanceof AccessControlException));
    }

    /** The file ends early. A connection that ends, because a NameNode does, is an EOFException too. */
    private static boolean isShort(IOException cause) {
        return cause instanceof EOFException && FSExceptionMessages.EOF_IN_READ_FULLY.equals(cause.getMessage());
    }

    /** What the NameNode threw, as far as its class is known here. */
    static IOException unwrap(IOException error) {
        return error instanceof RemoteException remote ? remote.unwrapRemoteException() : error;
    }

    /** A remote exception's message goes on with the stack of the server. */
    private static String firstLine(IOException cause) {
        return cause.toString().lines().findFirst().orElse("");
    }

    /** Hadoop clears the flag of a thread that it saw interrupted. */
    private static void keepInterrupt(IOException cause) {
        boolean interrupted = cause instanceof ClosedByInterruptException
                || (cause instanceof InterruptedIOException && !(cause instanceof SocketTimeoutException));
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
