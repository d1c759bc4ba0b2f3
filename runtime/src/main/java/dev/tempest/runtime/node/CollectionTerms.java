package dev.tempest.runtime.node;

import dev.tempest.config.CollectionConfig;
import dev.tempest.config.Preset;
import dev.tempest.state.versioned.Lifetime;
import dev.tempest.state.versioned.Terms;

/** What the configuration of a collection means to the state. */
final class CollectionTerms {
  private CollectionTerms() {}

  static Terms of(CollectionConfig config) {
    return new Terms(
        Lifetime.of(config.timeToLive(), config.idle(), config.maxSize()),
        config.preset() == Preset.EVENTUAL);
  }
}
