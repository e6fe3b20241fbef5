package bt.doctor;

import java.util.List;
import java.util.Optional;

/** 4: what no tablet refers to goes with the sweep, soon after the grace. */
final class UnreferencedFiles implements Invariant<StoredFile> {
    private final long graceMicros;

    UnreferencedFiles(long graceMillis) {
        this.graceMicros = graceMillis * 1_000;
    }

    @Override
    public List<Finding> check(StoredFile file) {
        long age = file.nowMicros() - file.modifiedMicros();
        if (file.referenced() || age <= graceMicros) {
            return List.of();
        }
        Place place = new Place(file.table(), Optional.empty(), file.path());
        return List.of(new Finding(
                Rule.UNREFERENCED_FILES,
                place,
                "no tablet refers to the file of " + file.bytes() + " bytes, which is " + age / 1_000_000 + " s old"));
    }
}
