/**
 * Benchmarks: floors, ratios, pictures. In no module of Java's: not all that is measured can be.
 */
@org.jspecify.annotations.NullMarked
package dev.tempest.bench;
