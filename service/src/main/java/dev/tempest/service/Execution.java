package dev.tempest.service;

import dev.tempest.state.Version;

/**
 * An executed update.
 *
 * @param after the version after it; the version before it unless it returned
 * @param result how it ended
 */
public record Execution(Version after, Result result) {}
