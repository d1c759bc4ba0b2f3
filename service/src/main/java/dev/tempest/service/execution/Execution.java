package dev.tempest.service.execution;

import dev.tempest.state.versioned.Footprint;
import dev.tempest.state.versioned.Version;

/**
 * An executed update.
 *
 * @param after the version after it; the version before it unless it returned
 * @param result how it ended
 * @param footprint on what that depended, and what it wrote
 * @param writtenBytes how much it wrote, about
 */
public record Execution(Version after, Result result, Footprint footprint, long writtenBytes) {
  /** One of which is known otherwise how much it wrote, or that wrote nothing. */
  public Execution(Version after, Result result, Footprint footprint) {
    this(after, result, footprint, 0);
  }
}
