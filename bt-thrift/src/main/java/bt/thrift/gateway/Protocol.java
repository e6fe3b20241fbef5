package bt.thrift.gateway;

import bt.model.Limits;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.protocol.TCompactProtocol;
import org.apache.thrift.protocol.TProtocolFactory;

/** How messages are written inside of their frames. A gateway speaks one of them. */
public enum Protocol {
    COMPACT {
        @Override
        TProtocolFactory factory() {
            return new TCompactProtocol.Factory(AS_LONG_AS_THE_FRAME, CONTAINER_ELEMENTS);
        }
    },
    BINARY {
        @Override
        TProtocolFactory factory() {
            return new TBinaryProtocol.Factory(true, true, AS_LONG_AS_THE_FRAME, CONTAINER_ELEMENTS);
        }
    };

    private static final long AS_LONG_AS_THE_FRAME = -1;

    /**
     * An element may be one byte on the wire and a hundred in memory. No list of ours has more than half of this: one that is
     * a little too long is read, so that it is refused by its own rule and with its own words.
     */
    private static final long CONTAINER_ELEMENTS = 2L * Limits.CHANGES_PER_MUTATION;

    abstract TProtocolFactory factory();
}
