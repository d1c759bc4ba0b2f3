package dev.tempest.runtime.service;

/**
 * A place where a service may come to another state than at other replicas.
 *
 * @param className of the class with the place in it
 * @param method with the place in it
 * @param place file and line, as far as the class says
 * @param verb {@code calls}, for example
 * @param what such as {@code System.nanoTime}
 * @param remedy what to use in its place
 * @param isCertain whether it is wrong in any case; else only if the state depends on it
 */
record Finding(
    String className,
    String method,
    String place,
    String verb,
    String what,
    String remedy,
    boolean isCertain) {
  @Override
  public String toString() {
    return className + "." + method + " (" + place + ") " + verb + " " + what + ": " + remedy;
  }
}
