package dev.tempest.runtime.service;

import java.util.Set;

/**
 * Something of the JDK that gives each process something else.
 *
 * @param remedy what to use in its place
 * @param isCertain whether it is wrong in any case; else only if the state depends on it
 * @param corrections methods that make up for it, if the same code calls one
 */
record Source(String remedy, boolean isCertain, Set<String> corrections) {}
