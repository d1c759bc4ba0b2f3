package dev.tempest.runtime.service;

/**
 * A call by which a method takes something from its process that other replicas do not have.
 *
 * @param className of the class that calls
 * @param method that calls
 * @param place file and line, as far as the class says
 * @param called such as {@code System.nanoTime}
 * @param remedy what to use in its place
 */
record ProcessCall(String className, String method, String place, String called, String remedy) {
  @Override
  public String toString() {
    return className + "." + method + " (" + place + ") calls " + called + ": " + remedy;
  }
}
