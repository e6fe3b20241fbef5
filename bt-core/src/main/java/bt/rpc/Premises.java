package bt.rpc;

import bt.base.Clock;
import bt.base.Seldom;
import bt.protocol.Service;

/**
 * What all connections of a server have in common.
 *
 * @param complaints how often the log is told of connections that are closed or refused: whoever opens them could fill it
 * @param bodies of control answers
 */
record Premises(Service service, Clock clock, RpcLimits limits, Seldom complaints, ControlBodies bodies) {
    private static final int COMPLAINTS_A_MINUTE = 60;

    Premises(Service service, Clock clock, RpcLimits limits) {
        this(service, clock, limits, new Seldom(clock, COMPLAINTS_A_MINUTE), new ControlBodies());
    }
}
