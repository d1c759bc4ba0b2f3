package dev.tempest.spring.autoconfigure;

import dev.tempest.Node;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Nodes of this process beside the one that is a bean, as a test has them: they host the same
 * services.
 */
record FurtherNodes(List<Node> all) {
  FurtherNodes {
    all = List.copyOf(all);
  }

  /** At once, since each may wait for a majority of them. */
  void withAll(Node node, Consumer<Node> work) {
    Stream.concat(Stream.of(node), all.stream())
        .map(
            each -> CompletableFuture.runAsync(() -> work.accept(each), Thread::startVirtualThread))
        .toList()
        .forEach(CompletableFuture::join);
  }
}
