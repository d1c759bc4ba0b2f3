package dev.tempest.spring.notes;

/** A value of a collection, and an answer as JSON. */
public record Note(String text) {}
