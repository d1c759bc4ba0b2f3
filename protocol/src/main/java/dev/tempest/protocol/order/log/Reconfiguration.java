package dev.tempest.protocol.order.log;

import dev.tempest.wire.SlotEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** How the members of a group change: one at a time, since majorities have to meet. */
final class Reconfiguration {
  private Reconfiguration() {}

  /**
   * Comes one step nearer to other members.
   *
   * @param self who leads, and goes last
   * @param wanted as they should be
   * @param gone members that seem to run no more
   * @param keepsUp whether a new one takes no longer for the log than those who are members
   * @param canAgree whether enough of some are there
   * @return the next members; none if nothing can change now
   */
  static List<Long> next(
      long self,
      List<Long> members,
      List<Long> wanted,
      List<Long> gone,
      Predicate<Long> keepsUp,
      Predicate<List<Long>> canAgree) {
    for (long each : wanted) {
      if (!members.contains(each) && keepsUp.test(each)) {
        List<Long> next = withPlaceFor(each, members, gone, canAgree);
        if (next.size() <= SlotEntry.Members.COUNT_MAX) {
          return next;
        }
      }
    }
    List<Long> unwanted = members.stream().filter(each -> !wanted.contains(each)).toList();
    if (unwanted.isEmpty() || unwanted.size() == members.size()) {
      return List.of();
    }
    boolean onlySelf = unwanted.equals(List.of(self));
    long leaves = onlySelf ? self : without(unwanted, self).getFirst();
    List<Long> rest = without(members, leaves);
    return canAgree.test(rest) ? rest : List.of();
  }

  /**
   * One more. Before that one less, if one has gone whose place that can be: with both, all others
   * would have to be there, and if the newcomer went as well, nobody could ever take a place again.
   */
  private static List<Long> withPlaceFor(
      long newcomer, List<Long> members, List<Long> gone, Predicate<List<Long>> canAgree) {
    for (long each : gone) {
      List<Long> rest = without(members, each);
      if (rest.size() < members.size() && canAgree.test(rest)) {
        return rest;
      }
    }
    List<Long> more = new ArrayList<>(members);
    more.add(newcomer);
    return more;
  }

  private static List<Long> without(List<Long> members, long gone) {
    return members.stream().filter(each -> each != gone).toList();
  }
}
