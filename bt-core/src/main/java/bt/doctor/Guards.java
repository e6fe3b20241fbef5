package bt.doctor;

import java.util.List;

/** 10 too: every file of the lock service can be changed by those that the cluster wants, and by nobody else. */
final class Guards implements Invariant<GuardedFile> {
    @Override
    public List<Finding> check(GuardedFile file) {
        return file.wrong().isEmpty()
                ? List.of()
                : List.of(new Finding(Rule.MEMBERSHIP, Place.file(file.path()), file.wrong()));
    }
}
