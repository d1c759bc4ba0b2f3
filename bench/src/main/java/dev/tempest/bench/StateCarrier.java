package dev.tempest.bench;

import java.io.IOException;
import java.io.Serializable;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;

/**
 * How a change of a primary's state gets to its backup where Tempest does not bring it: what the
 * thesis compared, for experiments alone.
 */
sealed interface StateCarrier extends Serializable {
  /** Opens it, in the process of the primary. */
  Opened open() throws IOException;

  /** Brings changes, one after the other. */
  @FunctionalInterface
  interface Opened {
    /** Returns when the backup has it. */
    void carry(byte[] change);
  }

  /** There is no backup. */
  record Nobody() implements StateCarrier {
    @Override
    public Opened open() {
      return change -> {};
    }
  }

  /**
   * A call to the backup.
   *
   * @param backupPort where that listens
   */
  record Call(int backupPort) implements StateCarrier {
    @Override
    public Opened open() {
      HttpPost post = new HttpPost();
      return change -> give(post, backupPort, 0, change);
    }
  }

  /**
   * Published; the backup, which has subscribed, publishes that it has it.
   *
   * @param brokerPort where the broker takes what is published
   * @param ownPort where the primary is told what the backup publishes
   */
  record Notification(int brokerPort, int ownPort) implements StateCarrier {
    private static final int ACKNOWLEDGED_SECONDS = 10;

    @Override
    public Opened open() throws IOException {
      HttpPost post = new HttpPost();
      SynchronousQueue<Long> acknowledged = new SynchronousQueue<>();
      HttpPost.serve(ownPort, (number, nothing) -> acknowledged.put(number));
      return new Opened() {
        private long published;

        @Override
        public void carry(byte[] change) {
          give(post, brokerPort, ++published, change);
          try {
            Long number = acknowledged.poll(ACKNOWLEDGED_SECONDS, TimeUnit.SECONDS);
            if (number == null || number != published) {
              throw new IllegalStateException("the backup says " + number + ", not " + published);
            }
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        }
      };
    }
  }

  private static void give(HttpPost post, int port, long number, byte[] bytes) {
    try {
      post.give(port, number, bytes);
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
