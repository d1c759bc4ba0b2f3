package dev.tempest.runtime.node;

import dev.tempest.state.versioned.Home;

/** Collections that any thread of the application uses. */
interface SharedHome extends Home {
  @Override
  default void requireUninterrupted() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }
}
