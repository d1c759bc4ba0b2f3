package dev.tempest.admin;

import dev.tempest.Registration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * How the node of this process is, for operators: {@link dev.tempest.Node#monitor} gives it. Asking
 * costs the node next to nothing, and nobody who asks waits for more than a second.
 *
 * <p>Thread-safe. Once the node is closed, it tells how it was.
 */
public interface NodeMonitor {
  /** The cluster to which the node belongs. */
  String cluster();

  /** The addresses of all members, this one first; silent ones are among them for a while. */
  List<String> members();

  /** Whether the node works. */
  NodeHealth health();

  /** How the node is now; empty if it is too busy to say so within a second. */
  Optional<NodeVitals> vitals();

  /**
   * What was counted by parts that use the node, such as {@code http}: by part, and in it by kind.
   * Parts of which all are closed are left out.
   */
  Map<String, Map<String, Long>> counts();

  /**
   * Has {@link #counts} tell what a part counts. What several of one name count is added up.
   *
   * @param part 1 to 32 letters of a-z, for the name of a meter
   * @param counts by kind; is asked by whoever asks for all
   * @return ends that; what has been counted by then stays in the sum
   * @throws IllegalArgumentException if the part has another name
   */
  Registration tell(String part, Supplier<Map<String, Long>> counts);
}
