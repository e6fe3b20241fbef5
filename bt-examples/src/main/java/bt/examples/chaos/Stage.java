package bt.examples.chaos;

import bt.examples.cluster.ProcessCluster;

/** Where faults happen: the cluster, the way of its clients to the servers, and what is told of it. */
record Stage(ProcessCluster cluster, ProxiedNetwork network, Tally tally, Journal journal) {}
