package dev.tempest.simulator;

import dev.tempest.service.Update;

/** The same as in a later release. */
interface Counting extends OlderCounting {
  /** The same as {@link #next}, which older servers lack. */
  @Update
  long another();
}
