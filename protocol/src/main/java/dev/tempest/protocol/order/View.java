package dev.tempest.protocol.order;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.Effect;
import dev.tempest.wire.Message;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** All replicas of the service as of now, and where they are reached. */
public final class View {
  private final long self;
  private SortedMap<Long, Address> all;
  private List<Long> others;

  public View(long self, SortedMap<Long, Address> all) {
    this.self = self;
    this.all = all;
    this.others = others(self, all);
  }

  /** Takes another view; the replicas that the earlier one lacked. */
  public List<Long> change(SortedMap<Long, Address> changed) {
    if (!changed.containsKey(self)) {
      throw new IllegalArgumentException(
          "the view " + changed.keySet() + " lacks the replica itself, " + self);
    }
    SortedMap<Long, Address> earlier = all;
    all = changed;
    others = others(self, changed);
    return others.stream().filter(other -> !earlier.containsKey(other)).toList();
  }

  public long self() {
    return self;
  }

  public Collection<Long> all() {
    return all.keySet();
  }

  public List<Long> others() {
    return others;
  }

  public boolean hasOther(long id) {
    return id != self && all.containsKey(id);
  }

  /** Where a replica of the view is reached; null if it is none. */
  public @Nullable Address address(long id) {
    return all.get(id);
  }

  /** Sends to a replica of the view, and nothing to any other. */
  public void send(long to, Message message, List<Effect> effects) {
    Address address = all.get(to);
    if (address != null) {
      effects.add(new Effect.Send(address, message));
    }
  }

  /** Tells people that this replica and another one of the view have diverged. */
  public void report(List<String> collections, long other, List<Effect> effects) {
    Address address = all.get(other);
    if (address != null) {
      effects.add(new Effect.Diverged(collections, address));
    }
  }

  private static List<Long> others(long self, SortedMap<Long, Address> all) {
    return all.keySet().stream().filter(id -> id != self).toList();
  }
}
