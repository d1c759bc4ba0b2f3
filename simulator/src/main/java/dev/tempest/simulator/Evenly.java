package dev.tempest.simulator;

import java.util.List;

/**
 * What comes about as often in any hundred seeds that follow each other as in all of them, so that
 * no hundred lacks it: the multiples of an irrational number spread evenly between 0 and 1.
 */
enum Evenly {
  SCENARIO(2),
  REUNION(3),
  LITTLE_MEMORY(5),
  SHORT_MEMORY(7),
  SHORT_HISTORY(11),
  FEW_REPLICAS(13),
  FEW_ANSWERS(17),
  AHEAD_IN_BYTES(19),
  REPAIR(23),
  MEMBERSHIP(29),
  WAITS(37),
  FEW_INTERVALS(41),
  LATE(43);

  /** 64 bits of the irrational number behind the point: the root of a prime. */
  private final long step;

  Evenly(int prime) {
    this.step = (long) (StrictMath.sqrt(prime) % 1 * 0x1p53) << 11 | 1;
  }

  /** From 0 to {@code bound} exclusive. */
  private int below(int bound, long seed) {
    return (int) Math.unsignedMultiplyHigh(seed * step, bound);
  }

  boolean chance(int percent, long seed) {
    return below(100, seed) < percent;
  }

  <T> T pick(List<T> choices, long seed) {
    return choices.get(below(choices.size(), seed));
  }
}
