package dev.tempest.sessions;

/**
 * What a session began with. As long as an entry has it the session has not ended; nobody writes
 * that entry again, so that its removal wins against all that is written at the same time.
 *
 * @param id the first one; a later one is an attribute
 */
record Origin(String id, long createdMillis) {}
