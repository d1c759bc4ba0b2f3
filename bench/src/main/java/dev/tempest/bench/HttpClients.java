package dev.tempest.bench;

import java.io.IOException;
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
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;

/**
 * Clients of one HTTP server, each with a connection that stays open and one request at a time. One
 * thread receives for all, and takes as little of the machine as it can: it is not what is
 * measured.
 */
final class HttpClients implements Runnable {
  private static final int ANSWER_MAX_BYTES = 4_096;
  private static final String END_OF_HEAD = "\r\n\r\n";
  private static final String LENGTH = "content-length: ";

  private static final class Client {
    final SocketChannel channel;
    final ByteBuffer received = ByteBuffer.allocate(ANSWER_MAX_BYTES);
    volatile CompletableFuture<Boolean> answered = new CompletableFuture<>();

    Client(SocketChannel channel) {
      this.channel = channel;
    }
  }

  private final InetSocketAddress server;
  private final Selector selector;
  private final List<Client> clients = new ArrayList<>();

  HttpClients(int port) throws IOException {
    this.server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    this.selector = Selector.open();
    Thread.ofPlatform().daemon().name("http clients").start(this);
  }

  /** Connects until there are so many. */
  void connect(int count) throws IOException {
    while (clients.size() < count) {
      SocketChannel channel = SocketChannel.open(server);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.configureBlocking(false);
      Client client = new Client(channel);
      clients.add(client);
      channel.register(selector, SelectionKey.OP_READ, client);
      selector.wakeup();
    }
  }

  /** Sends a request of a client that has none under way; the future says if it was served. */
  CompletableFuture<Boolean> get(int number, String path) {
    Client client = clients.get(number);
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
    if (!(key.attachment() instanceof Client client)) {
      throw new AssertionError("a key without its client");
    }
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
