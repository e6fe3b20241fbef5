package bt.examples.paper;

/** A workload or a baseline that this cluster cannot show: why, and what to do about it where something can be done. */
public final class NotMeasured extends Exception {
    NotMeasured(String message) {
        super(message);
    }
}
