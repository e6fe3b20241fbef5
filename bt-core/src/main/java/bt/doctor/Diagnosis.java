package bt.doctor;

import java.util.List;

/**
 * What an examination came to: what is broken, what was done about what was, what could not be looked at and why, and how
 * much was looked at.
 */
public record Diagnosis(
        List<Finding> findings, List<Repair> repairs, List<String> omissions, long tablets, long files, int servers) {
    public Diagnosis {
        findings = List.copyOf(findings);
        repairs = List.copyOf(repairs);
        omissions = List.copyOf(omissions);
    }

    /** What was done where something was broken. */
    public record Repair(Place place, String done) {}

    public boolean isHealthy() {
        return findings.isEmpty();
    }
}
