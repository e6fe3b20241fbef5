package bt.testing;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.doctor.Diagnosis;
import bt.doctor.Doctor;
import bt.doctor.DoctorConfig;
import bt.doctor.DoctorConfig.Depth;

/** How a test that ran a cluster ends: the ten invariants hold, and every file and log that is needed can be read. */
public final class Checkup {
    private Checkup() {}

    public static void of(Doctor.Ports ports) throws InterruptedException {
        try {
            Diagnosis diagnosis = new Doctor(DoctorConfig.DEFAULT.at(Depth.READ), ports).examine();
            assertThat(diagnosis.findings()).as("what the doctor found").isEmpty();
            assertThat(diagnosis.omissions()).as("what the doctor left out").isEmpty();
        } catch (BigtableException failed) {
            throw new AssertionError("the doctor could not examine the cluster", failed);
        }
    }
}
