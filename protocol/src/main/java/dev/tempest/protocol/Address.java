package dev.tempest.protocol;

/**
 * Where a message goes or came from; opaque to machines. The runtime has socket addresses, the
 * simulator numbers.
 */
public interface Address {}
