package dev.tempest.sessions;

/**
 * What a session is known by for clients.
 *
 * @param id the only one that counts: another one that leads to this session is an older one
 */
record Head(String id, long createdMillis) {}
