package dev.tempest.protocol.order;

import dev.tempest.protocol.NameHash;
import dev.tempest.service.Update;
import dev.tempest.state.State;
import dev.tempest.wire.GroupView;
import java.util.Map;

/**
 * The view service: it says which replicas keep the state of which service by a primary, one view
 * after the other. It is a linearizable service itself.
 */
public interface Views {
  /** Under which it is hosted. */
  String NAME = "tempest-views";

  /** By which it is known. */
  long SERVICE = NameHash.of(NAME);

  /**
   * Asks for the latest view of a service.
   *
   * @param service the stable hash of its name
   * @param wanted becomes the latest if it {@linkplain GroupView#mayBecome may}
   */
  @Update
  GroupView ask(long service, GroupView wanted);

  /** It. */
  final class Service implements Views {
    private final Map<Long, GroupView> latest;

    /** With the views of all services. */
    public Service(State state) {
      latest = state.map("views", Long.class, GroupView.class);
    }

    @Override
    public GroupView ask(long service, GroupView wanted) {
      GroupView known = latest.getOrDefault(service, GroupView.NONE);
      if (!known.mayBecome(wanted)) {
        return known;
      }
      latest.put(service, wanted);
      return wanted;
    }
  }
}
