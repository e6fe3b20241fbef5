package bt.examples.demo;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * One host of the crawl: the pages of one artifact's Javadoc, which Maven Central keeps for ever under its coordinates.
 * The hash tells a damaged download from the crawl.
 */
record Site(String group, String artifact, String version, String sha256) {
    /** 5,710 pages, 132 MB of HTML. */
    static final List<Site> ALL = List.of(
            new Site(
                    "org.apache.lucene",
                    "lucene-core",
                    "9.12.1",
                    "ad7c440c92ae3cbc810818fc91a9e41fed37157b29a41bc65503d339553cfb86"),
            new Site(
                    "com.google.guava",
                    "guava",
                    "33.4.0-jre",
                    "a82b0c419041050450e664d6020415d543e70943126614e7a2c1b8a8cb139239"),
            new Site(
                    "org.springframework",
                    "spring-core",
                    "6.2.3",
                    "d4596bd6fd4b1220deea2001e25ca74072e6da102e51d2ba20bb473526199d09"),
            new Site(
                    "org.apache.kafka",
                    "kafka-clients",
                    "3.9.0",
                    "987f6f9ebbff2bf25892dda949aa98966f8316eaa598d5b4788c86e67e1bd86f"));

    static final int PAGES = 5_710;

    String coordinates() {
        return group + ":" + artifact + ":" + version;
    }

    String fileName() {
        return artifact + "-" + version + "-javadoc.jar";
    }

    /** The artifact below its group, whose name is a host's already, the other way round. */
    String host() {
        return artifact + "." + reversed(group);
    }

    /** Where a page of the site would be found. */
    String url(String path) {
        return "https://" + host() + "/" + path;
    }

    /** The parts between the dots in the other order; twice is the name itself. */
    static String reversed(String host) {
        List<String> parts = Arrays.asList(host.split("\\.", -1));
        Collections.reverse(parts);
        return String.join(".", parts);
    }
}
