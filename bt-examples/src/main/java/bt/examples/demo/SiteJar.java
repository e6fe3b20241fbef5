package bt.examples.demo;

import java.nio.file.Path;

/** A site and the file that has its pages. */
record SiteJar(Site site, Path jar) {}
