package dev.tempest.wire;

/**
 * What the header tells of a frame in a version that this code does not speak.
 *
 * @param cluster as in {@link Frame}
 * @param spoken what its sender speaks: from this version on
 * @param isEmpty whether it has no messages, and so wants no answer
 */
public record ForeignFrame(long cluster, Versions spoken, boolean isEmpty) {}
