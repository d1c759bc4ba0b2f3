package dev.tempest.state.versioned;

/**
 * What the hash of a root is made of: a sum over its entries, so that it follows from the one
 * before by what changed, and does not depend on their history.
 *
 * @param sum over the entries, modulo 2^64
 * @param unmerged how many entries wait to be merged: what they hash to elsewhere cannot be told
 */
record Tally(long sum, int unmerged) {
  static final Tally NONE = new Tally(0, 0);
}
