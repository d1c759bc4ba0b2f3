package dev.tempest.runtime.node;

import dev.tempest.config.CollectionConfig;
import dev.tempest.config.NodeConfig;
import dev.tempest.config.Preset;
import dev.tempest.state.versioned.Lifetime;
import dev.tempest.state.versioned.Terms;
import java.util.function.Function;

/** What the configuration of collections means to the state, by their names. */
final class CollectionTerms {
  private CollectionTerms() {}

  /** Of the state that is ordered by time. */
  static Function<String, Terms> ofEventual(NodeConfig config) {
    return name -> of(config.collection(name), config.collection(name).isLinearizable());
  }

  /** Of the state on which a majority agrees. */
  static Function<String, Terms> ofLinearizable(NodeConfig config) {
    return name -> of(config.collection(name), false);
  }

  private static Terms of(CollectionConfig config, boolean isElsewhere) {
    return new Terms(
        Lifetime.of(config.timeToLive(), config.idle(), config.maxSize()),
        config.preset() == Preset.EVENTUAL,
        isElsewhere);
  }
}
