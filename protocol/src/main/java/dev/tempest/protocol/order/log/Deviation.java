package dev.tempest.protocol.order.log;

/**
 * Why a replica has not come to what the log has led its leader to. It answers nobody, and takes
 * the state of the leader.
 *
 * @param from the first slot whose state is another one
 * @param what the method that it should have executed, or why it could not
 * @param isExecuted whether it has executed it, and to another outcome: then it goes on meanwhile,
 *     since nobody may be left who knows better
 */
record Deviation(long from, String what, boolean isExecuted) {
  /** For those who ask it. */
  String why() {
    return isExecuted ? what + " came to something else here than at the leader" : what;
  }
}
