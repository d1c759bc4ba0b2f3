package dev.tempest.bench;

import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A small broker of notifications over HTTP: whoever publishes is answered at once, and subscribers
 * are called then, in the order of what was published.
 *
 * @param topics each with its subscriber
 */
record HttpBroker(List<Topic> topics) implements Program<String, String> {
  /**
   * A topic.
   *
   * @param port where it is published to
   * @param subscriberPort who is called
   */
  record Topic(int port, int subscriberPort) implements Serializable {}

  HttpBroker {
    topics = new ArrayList<>(topics);
  }

  @Override
  public Answers<String, String> start() throws IOException {
    HttpPost post = new HttpPost();
    for (Topic topic : topics) {
      ExecutorService calls =
          Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().factory());
      HttpPost.serve(
          topic.port(),
          (number, published) ->
              calls.execute(() -> notify(post, topic.subscriberPort(), number, published)));
    }
    return question -> "";
  }

  private static void notify(HttpPost post, int port, long number, byte[] published) {
    try {
      post.give(port, number, published);
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e); // Its publisher waits in vain, and says so.
    }
  }
}
