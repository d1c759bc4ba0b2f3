package dev.tempest.sessions.servlet;

/**
 * Who has the last word on the response of a request that may go on after its thread has returned:
 * that thread, or the one that completes it; whichever comes later. Before, the response is the
 * application's.
 */
final class LastWord {
  private boolean isInFilter;
  private boolean isComplete;

  /** The thread of the request, or of one of its dispatches, comes to the filter. */
  synchronized void enters() {
    isInFilter = true;
    isComplete = false;
  }

  /** It is about to leave the filter with the request going on. */
  synchronized void leaves(Runnable last) {
    isInFilter = false;
    if (isComplete) { // The container ends it only once this thread has returned.
      last.run();
    }
  }

  /** The application has nothing more to say. */
  synchronized void completes(Runnable last) {
    if (isInFilter) {
      isComplete = true;
    } else {
      last.run();
    }
  }
}
