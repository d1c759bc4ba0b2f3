package dev.tempest.simulator;

/** What {@link WithNote} was before it had a note; {@link EvolvingRecordsTest} calls it so. */
public record Noteless(long tag) {}
