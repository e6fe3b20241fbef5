package bt.yarn.launch;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.api.records.LocalResource;
import org.apache.hadoop.yarn.api.records.LocalResourceType;
import org.apache.hadoop.yarn.api.records.LocalResourceVisibility;
import org.apache.hadoop.yarn.api.records.URL;

/**
 * What a node manager puts into a container's directory: the unpacked distribution in {@code bt}, and the configuration in
 * {@code site}. Hadoop's configuration is one file under the three names that its parts look for: each reads its own
 * defaults over what was read before them, so under one name alone the defaults of the others would win.
 */
final class ContainerFiles {
    static final String SETTINGS = "bt.properties";
    static final String LOGGING = "log4j.properties";
    static final String HADOOP = "hadoop-site.xml";

    private static final String[] HADOOP_NAMES = {"core-site.xml", "hdfs-site.xml", "yarn-site.xml"};

    private ContainerFiles() {}

    static Map<String, LocalResource> of(FileSystem files, Path archive, Path site) throws IOException {
        Map<String, LocalResource> resources = new HashMap<>();
        resources.put("bt", resource(files, archive, LocalResourceType.ARCHIVE, LocalResourceVisibility.PRIVATE));
        resources.put("site/" + SETTINGS, file(files, new Path(site, SETTINGS)));
        resources.put("site/" + LOGGING, file(files, new Path(site, LOGGING)));
        LocalResource hadoop = file(files, new Path(site, HADOOP));
        for (String name : HADOOP_NAMES) {
            resources.put("site/" + name, hadoop);
        }
        return resources;
    }

    private static LocalResource file(FileSystem files, Path path) throws IOException {
        return resource(files, path, LocalResourceType.FILE, LocalResourceVisibility.APPLICATION);
    }

    private static LocalResource resource(
            FileSystem files, Path path, LocalResourceType type, LocalResourceVisibility visibility)
            throws IOException {
        FileStatus status = files.getFileStatus(path);
        return LocalResource.newInstance(
                URL.fromPath(files.makeQualified(path)),
                type,
                visibility,
                status.getLen(),
                status.getModificationTime());
    }
}
