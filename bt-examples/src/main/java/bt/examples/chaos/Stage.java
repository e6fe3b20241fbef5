package bt.examples.chaos;

import bt.examples.cluster.ProcessCluster;

/** Where faults happen: the cluster, and the way of its clients to the servers. */
record Stage(ProcessCluster cluster, ProxiedNetwork network, Journal journal) {}
