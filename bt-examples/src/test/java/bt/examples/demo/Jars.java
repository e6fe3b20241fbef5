package bt.examples.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Small sites as jars. */
final class Jars {
    private Jars() {}

    /** A jar under the name that the site's has, with these entries. */
    static SiteJar write(Path directory, Site site, Map<String, String> entries) throws IOException {
        Path jar = directory.resolve(site.fileName());
        try (OutputStream out = Files.newOutputStream(jar);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            for (Map.Entry<String, String> entry : entries.entrySet()) {
                zip.putNextEntry(new ZipEntry(entry.getKey()));
                zip.write(entry.getValue().getBytes(UTF_8));
            }
        }
        return new SiteJar(site, jar);
    }

    static String page(String body) {
        return "<html lang=\"en\"><head><title>A page</title></head><body>" + body + "</body></html>";
    }
}
