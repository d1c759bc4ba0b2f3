package dev.tempest.simulator;

/**
 * One life of a process, from a start to the loss of its memory.
 *
 * @param node which process
 * @param number counts its lives from 0
 */
record Incarnation(int node, int number) implements Comparable<Incarnation> {
  @Override
  public int compareTo(Incarnation that) {
    int byNode = Integer.compare(node, that.node);
    return byNode != 0 ? byNode : Integer.compare(number, that.number);
  }
}
