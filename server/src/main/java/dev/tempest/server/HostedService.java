package dev.tempest.server;

import java.nio.file.Path;
import java.util.Optional;

/**
 * A service that a server is told to host.
 *
 * @param name by which front-ends ask for it
 * @param className of the service
 * @param jar where the class is, if not on the class path
 * @param where the class is named, for messages
 */
public record HostedService(String name, String className, Optional<Path> jar, String where) {}
