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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Loads servlets by HTTP; the same process loads all of them. Each client has a connection to each
 * servlet that stays open, one request at a time, and the cookies that it is given. One thread
 * receives for all, and takes as little of the machine as it can: it is not what is measured.
 */
final class HttpLoad implements Program.Answers<HttpLoad.Task, Point>, Runnable {
  private static final int ITEMS = 1_024;
  private static final int ANSWER_MAX_BYTES = 65_536; // Stack traces, too.
  private static final String END_OF_HEAD = "\r\n\r\n";
  private static final String LENGTH = "content-length: ";
  private static final String COOKIE = "set-cookie: ";

  /**
   * A plan for the servlets at these ports.
   *
   * @param addPercent so many requests add, the others check
   * @param sticky whether a client always asks the same servlet, else each time any of them
   */
  record Task(List<Integer> ports, int addPercent, boolean sticky, LoadPlan plan)
      implements Serializable {}

  private static final class Client {
    final List<Connection> connections = new ArrayList<>();
    final Map<String, String> cookies = new LinkedHashMap<>();
    volatile CompletableFuture<Boolean> answered = new CompletableFuture<>();

    /** Where the answer comes from. */
    volatile @Nullable Connection asked;

    volatile String cookieLine = "";

    void take(String cookie) {
      int equals = cookie.indexOf('=');
      cookies.put(cookie.substring(0, equals), cookie.substring(equals + 1));
      List<String> pairs = new ArrayList<>();
      cookies.forEach((name, value) -> pairs.add(name + "=" + value));
      cookieLine = "Cookie: " + String.join("; ", pairs) + "\r\n";
    }
  }

  private record Connection(Client client, int port, SocketChannel channel, ByteBuffer received) {}

  private final Selector selector = Selector.open();
  private final Map<List<Integer>, List<Client>> clientsByPorts = new HashMap<>();

  HttpLoad() throws IOException {
    Thread.ofPlatform().daemon().name("http clients").start(this);
  }

  @Override
  public Point answer(Task task) throws IOException, InterruptedException {
    List<Client> clients = clientsByPorts.computeIfAbsent(task.ports, ports -> new ArrayList<>());
    while (clients.size() < task.plan.clients()) {
      Client client = new Client();
      for (int port : task.ports) {
        client.connections.add(connect(client, port));
      }
      clients.add(client);
    }
    return ClosedLoop.run(
        task.plan,
        number -> {
          Client client = clients.get(number);
          int ports = task.ports.size();
          int port = task.sticky ? number % ports : ThreadLocalRandom.current().nextInt(ports);
          return get(client, open(client, port), path(task.addPercent));
        });
  }

  /** A server that has answered with an error may have closed it. */
  private Connection open(Client client, int index) {
    Connection connection = client.connections.get(index);
    if (connection.channel.isOpen()) {
      return connection;
    }
    try {
      Connection again = connect(client, connection.port);
      client.connections.set(index, again);
      return again;
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  private Connection connect(Client client, int port) throws IOException {
    SocketChannel channel =
        SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.configureBlocking(false);
    Connection connection =
        new Connection(client, port, channel, ByteBuffer.allocate(ANSWER_MAX_BYTES));
    channel.register(selector, SelectionKey.OP_READ, connection);
    selector.wakeup();
    return connection;
  }

  private static String path(int addPercent) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    return (random.nextInt(100) < addPercent ? "/add/" : "/check/") + random.nextInt(ITEMS);
  }

  /** Sends a request of a client that has none under way; the future says if it was served. */
  private static CompletableFuture<Boolean> get(Client client, Connection to, String path) {
    CompletableFuture<Boolean> answered = new CompletableFuture<>();
    client.answered = answered;
    client.asked = to;
    byte[] request =
        "GET %s HTTP/1.1\r\nHost: bench\r\n%s\r\n"
            .formatted(path, client.cookieLine)
            .getBytes(StandardCharsets.US_ASCII);
    try {
      to.channel.write(ByteBuffer.wrap(request)); // So little always fits.
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
    Connection connection = (Connection) key.attachment();
    Client client = connection.client;
    ByteBuffer received = connection.received;
    int bytes;
    try {
      bytes = connection.channel.read(received);
    } catch (IOException broken) {
      bytes = -1;
    }
    if (bytes < 0) {
      close(connection);
      return;
    }
    String text = StandardCharsets.US_ASCII.decode(received.duplicate().flip()).toString();
    int headEnd = text.indexOf(END_OF_HEAD);
    if (headEnd < 0) {
      return;
    }
    String head = text.substring(0, headEnd + 2);
    if (text.length() >= headEnd + END_OF_HEAD.length() + length(head)) {
      received.clear();
      takeCookies(client, head);
      boolean isServed = text.startsWith("HTTP/1.1 200");
      if (!isServed) {
        System.err.println("HTTP clients were answered: " + text.strip());
      }
      client.answered.complete(isServed);
    }
  }

  private static void close(Connection connection) {
    try {
      connection.channel.close();
    } catch (IOException broken) {
      // It is no longer used.
    }
    if (connection.equals(connection.client.asked)) {
      connection.client.answered.complete(false);
    }
  }

  private static int length(String head) {
    int at = head.toLowerCase(Locale.ROOT).indexOf(LENGTH);
    if (at < 0) {
      return 0;
    }
    int from = at + LENGTH.length();
    return Integer.parseInt(head.substring(from, head.indexOf('\r', from)));
  }

  private static void takeCookies(Client client, String head) {
    String lower = head.toLowerCase(Locale.ROOT);
    for (int at = lower.indexOf(COOKIE); at >= 0; at = lower.indexOf(COOKIE, at + 1)) {
      int from = at + COOKIE.length();
      int end = head.indexOf('\r', from);
      int attributes = head.indexOf(';', from);
      client.take(head.substring(from, attributes < 0 ? end : Math.min(end, attributes)));
    }
  }
}
