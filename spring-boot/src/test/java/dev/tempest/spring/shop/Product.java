package dev.tempest.spring.shop;

/** A value of a collection. */
public record Product(String name, int cents) {}
