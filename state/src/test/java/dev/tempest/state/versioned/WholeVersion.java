package dev.tempest.state.versioned;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.values.encoding.Bytes;

/** Takes versions from one state to another in one piece. */
final class WholeVersion {
  private WholeVersion() {}

  /** Equal versions have equal bytes. */
  static Bytes bytes(VersionedState state, Version version) {
    return state.piece(version, Assembly.FIRST_WISH, Integer.MAX_VALUE);
  }

  static Version read(VersionedState state, Bytes bytes) {
    Assembly assembly = state.assembly(state.emptyVersion(), Integer.MAX_VALUE);
    assertThat(assembly.take(bytes)).isTrue();
    assertThat(assembly.isComplete()).isTrue();
    return assembly.version();
  }
}
