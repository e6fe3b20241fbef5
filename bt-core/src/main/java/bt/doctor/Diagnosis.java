package bt.doctor;

import java.util.List;

/** What an examination came to: what is broken, what could not be looked at and why, and how much was. */
public record Diagnosis(List<Finding> findings, List<String> omissions, long tablets, long files, int servers) {
    public Diagnosis {
        findings = List.copyOf(findings);
        omissions = List.copyOf(omissions);
    }

    public boolean isHealthy() {
        return findings.isEmpty();
    }
}
