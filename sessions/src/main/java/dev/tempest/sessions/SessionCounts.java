package dev.tempest.sessions;

/**
 * What has happened in this process since it began.
 *
 * @param created sessions created here
 * @param invalidated sessions that the application ended here
 * @param expired sessions whose expiry was told here
 * @param unsaved writes that were not saved as configured, in time or at all: 503 for their clients
 * @param refused sessions and attributes that were too many or too large
 * @param unreadable attributes read here that this process cannot make
 * @param malformed ids and tokens that no process of this cluster can have given
 * @param waits requests that came before what their client had seen elsewhere
 * @param unseen of these, those that waited in vain
 */
public record SessionCounts(
    long created,
    long invalidated,
    long expired,
    long unsaved,
    long refused,
    long unreadable,
    long malformed,
    long waits,
    long unseen) {}
