package dev.tempest.simulator;

import org.jspecify.annotations.Nullable;

/**
 * What processes store of which an older release may have another class of this name, without the
 * note.
 */
record WithNote(long tag, @Nullable String note) {}
