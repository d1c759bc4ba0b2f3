package dev.tempest.protocol.membership;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Whom to tell next: everybody alive has a turn, in random order, before anybody has another. */
final class Turns {
  private final MemberTable table;
  private final SplittableRandom random;
  private final List<Long> left = new ArrayList<>();

  Turns(MemberTable table, SplittableRandom random) {
    this.table = table;
    this.random = random;
  }

  /** The next members alive, {@code count} different ones or as many as there are. */
  List<Known> next(int count) {
    List<Known> next = new ArrayList<>(count);
    for (int refills = 0; next.size() < count && refills < 2; ) {
      if (left.isEmpty()) {
        refills++;
        refill();
      } else {
        Known known = table.get(left.removeLast());
        if (known != null && known.isAlive() && !next.contains(known)) {
          next.add(known);
        }
      }
    }
    return next;
  }

  /** One of those that are silent; null if there are none. */
  @Nullable Known anySilent() {
    List<Known> silent =
        table.all().stream().filter(each -> each.isPresent() && each.silent).toList();
    return silent.isEmpty() ? null : silent.get(random.nextInt(silent.size()));
  }

  private void refill() {
    table.all().stream().filter(Known::isAlive).map(Known::id).forEach(left::add);
    for (int i = left.size() - 1; i > 0; i--) {
      Collections.swap(left, i, random.nextInt(i + 1));
    }
  }
}
