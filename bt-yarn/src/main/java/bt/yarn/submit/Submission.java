package bt.yarn.submit;

import bt.base.BigtableException;
import bt.base.RejectedException;
import bt.yarn.launch.Distribution;
import bt.yarn.launch.Launch;
import bt.yarn.launch.Staging;
import bt.yarn.spec.Application;
import bt.yarn.spec.ClusterFiles;
import bt.yarn.spec.ClusterSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.Priority;

/** Brings a cluster to YARN: claims its name, uploads what its containers need, and has its application master started. */
final class Submission {
    private static final String TYPE = "bt";

    /** Failures older than the interval are forgotten: a cluster that lives for years survives any number of them. */
    private static final int ATTEMPTS = 4;

    private static final long FORGET_FAILURES_MILLIS = 600_000;

    private final ResourceManager yarn;
    private final Configuration hadoop;
    private final Staging staging;
    private final ClusterFiles files;

    Submission(ResourceManager yarn, Configuration hadoop, Staging staging, ClusterFiles files) {
        this.yarn = yarn;
        this.hadoop = hadoop;
        this.staging = staging;
        this.files = files;
    }

    /** The id of the application. What fails leaves nothing behind but a distribution for the next time. */
    String submit(String name, ClusterSpec spec, Map<String, String> settings, Distribution distribution)
            throws BigtableException {
        Path archive = Refusals.translated("uploading the distribution", () -> staging.upload(distribution));
        ApplicationSubmissionContext context = yarn.create().getApplicationSubmissionContext();
        String id = context.getApplicationId().toString();
        claim(name, Application.submitted(id, spec.servers()));
        boolean submitted = false;
        try {
            Path site =
                    Refusals.translated("uploading the configuration", () -> staging.configure(id, settings, hadoop));
            describe(context, name, spec, settings.getOrDefault("yarn.queue", "default"));
            List<String> words =
                    List.of("appmaster", "--servers", String.valueOf(spec.servers()), "--archive", archive.toString());
            context.setAMContainerSpec(Refusals.translated("staging", () -> Launch.from(staging.files(), archive, site)
                    .of(spec.applicationMasterMegabytes(), words)));
            yarn.submit(context);
            submitted = true;
            return id;
        } finally {
            if (!submitted) {
                forget(id);
            }
        }
    }

    private static void describe(ApplicationSubmissionContext context, String name, ClusterSpec spec, String queue) {
        context.setApplicationName(name);
        context.setApplicationType(TYPE);
        context.setQueue(queue);
        context.setPriority(Priority.newInstance(0));
        context.setResource(ResourceManager.memory(spec.applicationMasterMegabytes()));
        context.setMaxAppAttempts(ATTEMPTS);
        context.setAttemptFailuresValidityInterval(FORGET_FAILURES_MILLIS);
        context.setKeepContainersAcrossApplicationAttempts(true);
    }

    /** One application for a name, whoever else submits at the same time: the lock service decides. */
    private void claim(String name, Application application) throws BigtableException {
        Optional<ClusterFiles.Known> before = files.read();
        if (before.isEmpty()) {
            files.claim(application);
            return;
        }
        String other = before.get().application().id();
        if (!yarn.isOver(other)) {
            throw new RejectedException(
                    "cluster " + name + " runs already, as " + other,
                    "stop it (bt cluster stop), or give this one another name");
        }
        files.replace(before.get(), application);
    }

    /** The application has ended, or never began. */
    void forget(String id) throws BigtableException {
        files.forget();
        Refusals.translated("deleting the configuration of " + id, () -> {
            staging.delete(id);
            return true;
        });
    }
}
