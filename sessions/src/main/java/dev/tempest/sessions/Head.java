package dev.tempest.sessions;

/**
 * What a session is known by for clients. Only a change of its id writes it again.
 *
 * @param id the only one that counts: another one that leads to this session is an older one
 */
record Head(String id, long createdMillis) {}
