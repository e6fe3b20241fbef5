package bt.thrift.gateway;

/** Where a gateway listens, which protocol it speaks, and how much it allows. Port 0 takes a free one. */
public record GatewayConfig(String host, int port, Protocol protocol, GatewayLimits limits) {
    /** With the limits that fit this process. */
    public GatewayConfig(String host, int port, Protocol protocol) {
        this(host, port, protocol, GatewayLimits.forHeap(Runtime.getRuntime().maxMemory()));
    }
}
