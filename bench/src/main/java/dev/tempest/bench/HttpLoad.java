package dev.tempest.bench;

import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Loads servlets by HTTP, half of it adds and half checks; the same process loads all of them. Each
 * client has a connection that stays open and one request at a time. One thread receives for all,
 * and takes as little of the machine as it can: it is not what is measured.
 */
final class HttpLoad implements Program.Answers<HttpLoad.Task, Point>, Runnable {
  private static final int ITEMS = 1_024;
  private static final int ANSWER_MAX_BYTES = 4_096;
  private static final String END_OF_HEAD = "\r\n\r\n";
  private static final String LENGTH = "content-length: ";

  /** A plan for the servlet at a port. */
  record Task(int port, LoadPlan plan) implements Serializable {}

  private static final class Client {
    final SocketChannel channel;
    final ByteBuffer received = ByteBuffer.allocate(ANSWER_MAX_BYTES);
    volatile CompletableFuture<Boolean> answered = new CompletableFuture<>();

    Client(SocketChannel channel) {
      this.channel = channel;
    }
  }

  private final Selector selector = Selector.open();
  private final Map<Integer, List<Client>> clientsByPort = new HashMap<>();

  HttpLoad() throws IOException {
    Thread.ofPlatform().daemon().name("http clients").start(this);
  }

  @Override
  public Point answer(Task task) throws IOException, InterruptedException {
    List<Client> clients = clientsByPort.computeIfAbsent(task.port, port -> new ArrayList<>());
    while (clients.size() < task.plan.clients()) {
      clients.add(connect(task.port));
    }
    return ClosedLoop.run(task.plan, client -> get(clients.get(client), path()));
  }

  private Client connect(int port) throws IOException {
    SocketChannel channel =
        SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.configureBlocking(false);
    Client client = new Client(channel);
    channel.register(selector, SelectionKey.OP_READ, client);
    selector.wakeup();
    return client;
  }

  private static String path() {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    return (random.nextBoolean() ? "/add/" : "/check/") + random.nextInt(ITEMS);
  }

  /** Sends a request of a client that has none under way; the future says if it was served. */
  private static CompletableFuture<Boolean> get(Client client, String path) {
    CompletableFuture<Boolean> answered = new CompletableFuture<>();
    client.answered = answered;
    byte[] request =
        "GET %s HTTP/1.1\r\nHost: bench\r\n\r\n"
            .formatted(path)
            .getBytes(StandardCharsets.US_ASCII);
    try {
      client.channel.write(ByteBuffer.wrap(request)); // So little always fits.
    } catch (IOException broken) {
      answered.complete(false);
    }
    return answered;
  }

  @Override
  public void run() {
    try {
      while (true) {
        selector.select(this::receive);
      }
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  private void receive(SelectionKey key) {
    Client client = (Client) key.attachment();
    int bytes;
    try {
      bytes = client.channel.read(client.received);
    } catch (IOException broken) {
      bytes = -1;
    }
    if (bytes < 0) {
      key.cancel();
      client.answered.complete(false);
      return;
    }
    ByteBuffer received = client.received;
    String text = StandardCharsets.US_ASCII.decode(received.duplicate().flip()).toString();
    int headEnd = text.indexOf(END_OF_HEAD);
    if (headEnd >= 0 && text.length() >= headEnd + END_OF_HEAD.length() + length(text)) {
      received.clear();
      client.answered.complete(text.startsWith("HTTP/1.1 200"));
    }
  }

  private static int length(String answer) {
    int at = answer.toLowerCase(Locale.ROOT).indexOf(LENGTH);
    if (at < 0) {
      return 0;
    }
    int from = at + LENGTH.length();
    return Integer.parseInt(answer.substring(from, answer.indexOf('\r', from)));
  }
}
