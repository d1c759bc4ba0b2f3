package dev.tempest.server;

import dev.tempest.runtime.ServiceOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A service that a server is told to host.
 *
 * @param name by which front-ends ask for it
 * @param className of the service
 * @param jar where the class is, if not on the class path
 * @param unchecked classes and packages, by their names, that may take time and random numbers from
 *     their process, because nothing of it comes into the state
 * @param options how it runs
 * @param where the class is named, for messages
 */
public record HostedService(
    String name,
    String className,
    Optional<Path> jar,
    List<String> unchecked,
    ServiceOptions options,
    String where) {}
