package bt.master;

import bt.protocol.Address;

/**
 * A tablet server as its file in the lock service names it. The epoch is the transaction that created the file; the process
 * is empty if nobody gave it a name.
 */
record Member(String id, Address address, long epoch, String process) {}
