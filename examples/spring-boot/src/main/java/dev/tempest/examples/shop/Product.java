package dev.tempest.examples.shop;

/** A value of a collection: records need nothing for that. */
public record Product(String name, int cents) {}
