package dev.tempest.sessions;

/** The latest request of a session, and what its id was then. */
record Touch(String id, long millis) {}
