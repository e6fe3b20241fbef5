package bt.coord;

import bt.base.BigtableException;
import java.util.Optional;

/**
 * Who may read and change the files of a lock service: in a cluster with a secret, only who knows it may change them; else
 * everybody. The empty path is the cluster's own directory. Any thread.
 */
public interface FileRights {
    /**
     * What is wrong with the rights of a file: they are not those with which the caller would create it, or, where he does not
     * know the cluster's secret, not those of the cluster's first file. Empty also where there is no such file.
     */
    Optional<String> wrong(String path) throws BigtableException;

    /**
     * Gives a file the rights with which the caller would create it, unless somebody changes them at the same time. REJECTED
     * when he may not. Nothing happens where there is no such file.
     */
    void mend(String path) throws BigtableException;
}
