package dev.tempest.bench;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/** A cart in Redis that is written to so many copies before a write is answered. */
final class RedisCart implements Cart {
  private static final String CART = "17850";
  private static final Duration SYNC_MAX = Duration.ofSeconds(30);
  private static final Duration WRITE_MAX = Duration.ofSeconds(5);

  /** WAIT holds up what follows on its connection; more connections than these gain nothing. */
  private static final int CONNECTIONS = 32;

  private final List<RedisAsyncCommands<String, String>> connections;
  private final int copies;

  private RedisCart(List<RedisAsyncCommands<String, String>> connections, int copies) {
    this.connections = connections;
    this.copies = copies;
  }

  /** Connects, and waits until the copies follow. */
  static RedisCart connect(int port, int copies) throws IOException, InterruptedException {
    RedisClient client = RedisClient.create(RedisURI.create("127.0.0.1", port));
    RedisCart cart =
        new RedisCart(
            Stream.generate(() -> client.connect().async()).limit(CONNECTIONS).toList(), copies);
    long startNanos = System.nanoTime();
    RedisAsyncCommands<String, String> first = cart.connections.getFirst();
    await(first.hset(CART, "first", "0"));
    while (await(first.waitForReplication(copies, SYNC_MAX.toMillis())) < copies) {
      if (System.nanoTime() - startNanos > SYNC_MAX.toNanos()) {
        throw new IOException("the copies of Redis do not follow");
      }
    }
    return cart;
  }

  @Override
  public int add(String item) throws IOException, InterruptedException {
    RedisAsyncCommands<String, String> connection = any();
    RedisFuture<Long> count = connection.hincrby(CART, item, 1);
    if (await(connection.waitForReplication(copies, WRITE_MAX.toMillis())) < copies) {
      throw new IOException("a write has not reached the copies");
    }
    return Math.toIntExact(await(count));
  }

  @Override
  public int check(String item) throws IOException, InterruptedException {
    String count = await(any().hget(CART, item));
    return count == null ? 0 : Integer.parseInt(count);
  }

  private RedisAsyncCommands<String, String> any() {
    return connections.get(ThreadLocalRandom.current().nextInt(connections.size()));
  }

  private static <T> T await(RedisFuture<T> future) throws IOException, InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException failed) {
      throw new IOException(failed);
    }
  }
}
