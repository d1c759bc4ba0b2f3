package dev.tempest.cli;

/**
 * A command of another module: a class with picocli's {@code @Command}. It is there when its module
 * is on the path and names it as a service.
 */
public interface ExtraCommand {}
