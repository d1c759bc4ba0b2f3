package dev.tempest.runtime.node;

import dev.tempest.config.HostPort;
import dev.tempest.config.PortRange;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * How a host meets the others of its cluster.
 *
 * @param cluster the name of the cluster
 * @param name what people call the process; empty for its address
 * @param id of this process; a name for life
 * @param bind the address to bind
 * @param advertise where others reach it that listens on this port, if not at the address bound
 * @param accepted from which addresses something is read
 * @param ports the first of these that is free
 * @param candidates where others may be, looked up anew each time; in numbers
 * @param candidatesChange whether looking again may find others
 * @param discoveryPort the port of the group in which members announce themselves; 0 for none
 * @param requestPort the port of the groups of the services; 0 for none
 * @param heartbeatMillis the time between two rounds of news
 * @param expelAfter how long a silent member is waited for
 * @param dropPercent how many of 100 incoming datagrams are thrown away on purpose
 */
public record HostConfig(
    String cluster,
    String name,
    long id,
    InetAddress bind,
    IntFunction<Optional<HostPort>> advertise,
    Predicate<InetAddress> accepted,
    PortRange ports,
    Supplier<List<String>> candidates,
    boolean candidatesChange,
    int discoveryPort,
    int requestPort,
    int heartbeatMillis,
    Duration expelAfter,
    double dropPercent) {}
