package bt.examples.demo;

import bt.base.Scheduler;
import bt.client.Bigtable;
import bt.client.Table;
import bt.connect.Connect;
import bt.model.TableSchema;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.HdfsConfiguration;

/** The steps of {@code bt demo} in their order. One thread. */
final class Demo {
    private static final int TABLETS = 6;

    private final Ground ground;
    private final Steps steps;
    private final Report report;
    private final Checks checks;
    private final Deployment deployment;

    Demo(Ground ground, Steps steps, Report report, Checks checks) {
        this.ground = ground;
        this.steps = steps;
        this.report = report;
        this.checks = checks;
        this.deployment = new Deployment(ground.bt(), ground.processes(), ground.scheduler());
    }

    /** What a run stands on. A sample is how many pages are taken of each jar at most. */
    record Ground(
            Workspace workspace, Addresses at, Processes processes, BtCommand bt, Scheduler scheduler, int sample) {}

    /** Runs all steps but the last, which depends on whether the cluster is to stay. */
    void run() throws Exception {
        List<SiteJar> sites = steps.run(
                "Fetch the crawl",
                new Crawl(Crawl.userCache(), ground.workspace().log("maven"))::fetch,
                jars -> jars.size() + " sites");
        Expected expected = steps.run(
                "Count what the jars hold",
                new JarCount(sites, ground.sample())::run,
                jars -> jars.pages().size() + " pages, " + jars.anchorCount() + " anchors");
        report.sources(sites, expected);
        if (ground.sample() >= Site.PAGES) {
            checks.equal("pages in the jars", Site.PAGES, expected.pages().size());
        }
        steps.run(
                "Start HDFS, YARN and ZooKeeper",
                bar -> {
                    new ConfigurationFiles(ground.workspace(), ground.at()).write();
                    new MiniClusters(ground.workspace(), ground.at(), ground.processes(), ground.scheduler())
                            .start(bar);
                    return true;
                },
                started -> "3 datanodes, 1 node manager");
        List<ContainerStatus> containers =
                steps.run("Deploy bt on YARN", bar -> deployment.start(), running -> running.size() + " containers");
        report.containers(containers);
        try (Bigtable bigtable = Connect.to(ground.at().cluster())) {
            fill(bigtable, sites, expected, containers);
            ask(bigtable.table(Webtable.NAME), expected);
        }
    }

    /** Ends the cluster in good order; the processes that it stood on are not its business. */
    void stop() throws Exception {
        steps.run(
                "Stop bt",
                bar -> {
                    deployment.stop();
                    return true;
                },
                stopped -> "no container left");
    }

    private void fill(Bigtable bigtable, List<SiteJar> sites, Expected expected, List<ContainerStatus> containers)
            throws Exception {
        steps.run(
                "Create the table",
                bar -> create(bigtable, expected),
                table -> TABLETS + " tablets on " + Deployment.SERVERS + " servers");
        WebtableJobs jobs = new WebtableJobs(
                hadoop(), ground.at().cluster(), ground.scheduler().clock().micros());
        long loaded = steps.run(
                "Load the pages (MapReduce)",
                bar -> new RunningJob(jobs.load(sites, ground.sample()), ground.scheduler()).run(bar, progress -> {}),
                pages -> pages + " pages");
        checks.equal("pages that the first job read", expected.pages().size(), loaded);
        Killing.Killed killed = steps.run(
                "Find the anchors (MapReduce)",
                bar -> {
                    Killing killing = new Killing(containers, steps, bar);
                    long read = new RunningJob(jobs.links(), ground.scheduler()).run(bar, killing);
                    checks.equal(
                            "pages that the second job read", expected.pages().size(), read);
                    return killing.killed();
                },
                death -> String.format("tablet server %d killed in second %.0f", death.pid(), death.second()));
        report.killed(killed);
        report.containers(steps.run(
                "See the killed server replaced",
                bar -> deployment.awaitReplacementOf(killed.pid()),
                running -> running.size() + " containers"));
    }

    private void ask(Table webtable, Expected expected) throws Exception {
        DeprecatedPages.Found found = steps.run(
                "Scan with a Groovy filter",
                bar -> DeprecatedPages.find(webtable, expected.pages().size(), bar),
                rows -> rows.kept() + " of " + rows.seen() + " pages kept");
        report.script(found);
        checks.equal("rows that the script saw", expected.pages().size(), found.seen());
        checks.equal("rows that the script kept", expected.keptCount(), found.kept());
        Map.Entry<String, ExpectedPage> page =
                expected.pages().entrySet().iterator().next();
        String row = page.getKey();
        int port = Integer.parseInt(Addresses.port(ground.at().gateway()));
        String sha256 = steps.run(
                "Read a row through Thrift",
                bar -> new GatewayRead(ground.bt(), port, ground.scheduler()).sha256(row),
                digest -> row);
        report.thrift(row, sha256);
        checks.equal("SHA-256 through Thrift of " + row, page.getValue().sha256(), sha256);
        report.counts(
                steps.run(
                        "Compare the table with the jars",
                        bar -> new TableCheck(expected, checks).run(webtable, bar),
                        counts -> counts.pages() + " pages, " + counts.anchors() + " anchors"),
                expected);
    }

    private static TableSchema create(Bigtable bigtable, Expected expected) throws Exception {
        return bigtable.admin()
                .createTable(Webtable.schema(), Splits.of(expected.pages().keySet(), TABLETS));
    }

    /** Hadoop's configuration as the mini-clusters' clients need it; this process began before it was written. */
    private Configuration hadoop() {
        Configuration hadoop = new HdfsConfiguration();
        for (String file : List.of("core-site.xml", "hdfs-site.xml", "yarn-site.xml", "mapred-site.xml")) {
            hadoop.addResource(new Path(ground.workspace().conf().resolve(file).toUri()));
        }
        return hadoop;
    }
}
