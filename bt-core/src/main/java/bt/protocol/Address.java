package bt.protocol;

import static bt.base.Check.checkGiven;

/** Where a process listens. */
public record Address(String host, int port) {
    public Address {
        checkGiven(
                !host.isEmpty() && port > 0 && port < 1 << 16,
                "\"%s:%d\" is not host:port",
                "write a host, a colon and a port of 1 to 65535",
                host,
                port);
    }

    public static Address parse(String text) {
        int colon = text.lastIndexOf(':');
        checkGiven(
                colon > 0 && text.substring(colon + 1).matches("[0-9]{1,5}"),
                "\"%s\" is not host:port",
                "write a host, a colon and a port of 1 to 65535",
                text);
        return new Address(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
