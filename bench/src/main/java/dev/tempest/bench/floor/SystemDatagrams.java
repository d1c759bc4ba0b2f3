package dev.tempest.bench.floor;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;

/**
 * A datagram socket that takes and gives many datagrams with one system call: {@code recvmmsg} and
 * {@code sendmmsg} of Linux on 64 bits, by the foreign-function interface.
 */
final class SystemDatagrams implements FloorSocket {
  /** Datagrams that one system call takes or gives at most. */
  static final int BATCH = 32;

  private static final int SLOT_BYTES = 4 << 10;

  private static final int AF_INET = 2;
  private static final int SOCK_DGRAM = 2;
  private static final int IPPROTO_IP = 0;
  private static final int SOL_SOCKET = 1;
  private static final int SO_REUSEADDR = 2;
  private static final int SO_RCVBUF = 8;
  private static final int IP_MULTICAST_IF = 32;
  private static final int IP_ADD_MEMBERSHIP = 35;
  private static final int MSG_WAITFORONE = 0x10000;

  // struct mmsghdr: name, length of name, vectors, their number, control, its length, flags,
  // length.
  private static final long HEADER_BYTES = 64;
  private static final long NAME_LENGTH_AT = 8;
  private static final long VECTOR_AT = 16;
  private static final long VECTORS_AT = 24;
  private static final long LENGTH_AT = 56;
  private static final long VECTOR_BYTES = 16;

  // struct sockaddr_in: family, port and address in the order of the network, padding.
  private static final int NAME_BYTES = 16;
  private static final long PORT_AT = 2;
  private static final long ADDRESS_AT = 4;
  private static final int PORT_BITS = 16;

  private static final MethodHandle SOCKET =
      function("socket", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
  private static final MethodHandle BIND =
      function("bind", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
  private static final MethodHandle SETSOCKOPT =
      function(
          "setsockopt",
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
  private static final MethodHandle RECVMMSG =
      function(
          "recvmmsg",
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS));
  private static final MethodHandle SENDMMSG =
      function("sendmmsg", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT));

  /** Room for the datagrams of one call. */
  private static final class Slots {
    final MemorySegment headers;
    final MemorySegment names;
    final MemorySegment data;
    final ByteBuffer[] views = new ByteBuffer[BATCH];

    Slots(Arena arena) {
      headers = arena.allocate(HEADER_BYTES * BATCH, Long.BYTES);
      names = arena.allocate((long) NAME_BYTES * BATCH, Long.BYTES);
      data = arena.allocate((long) SLOT_BYTES * BATCH, Long.BYTES);
      MemorySegment vectors = arena.allocate(VECTOR_BYTES * BATCH, Long.BYTES);
      for (int i = 0; i < BATCH; i++) {
        MemorySegment slot = data.asSlice((long) i * SLOT_BYTES, SLOT_BYTES);
        MemorySegment vector = vectors.asSlice(i * VECTOR_BYTES, VECTOR_BYTES);
        vector.set(ADDRESS, 0, slot);
        vector.set(JAVA_LONG, Long.BYTES, SLOT_BYTES);
        MemorySegment header = headers.asSlice(i * HEADER_BYTES, HEADER_BYTES);
        header.set(ADDRESS, 0, names.asSlice((long) i * NAME_BYTES, NAME_BYTES));
        header.set(JAVA_INT, NAME_LENGTH_AT, NAME_BYTES);
        header.set(ADDRESS, VECTOR_AT, vector);
        header.set(JAVA_LONG, VECTORS_AT, 1);
        views[i] = slot.asByteBuffer();
      }
    }
  }

  private final int socket;
  private final int sizeBytes;
  private final Slots in;
  private final Slots out;
  private final long[] outVectorLengths = new long[BATCH];
  private final Map<Long, InetSocketAddress> peers = new HashMap<>();
  private int gathered;

  private SystemDatagrams(int socket, int sizeBytes, Arena arena) {
    this.socket = socket;
    this.sizeBytes = sizeBytes;
    this.in = new Slots(arena);
    this.out = new Slots(arena);
  }

  /**
   * Binds a socket whose datagrams leave by loopback.
   *
   * @param sizeBytes of what it sends
   */
  static SystemDatagrams open(InetSocketAddress address, int sizeBytes) throws IOException {
    Arena arena = Arena.ofShared(); // As long as the process: one socket each.
    int socket = call("socket", SOCKET, AF_INET, SOCK_DGRAM, 0);
    option(arena, socket, SOL_SOCKET, SO_REUSEADDR, 1);
    option(arena, socket, SOL_SOCKET, SO_RCVBUF, RECEIVE_BUFFER_BYTES);
    InetAddress loopback = InetAddress.getLoopbackAddress();
    option(arena, socket, IPPROTO_IP, IP_MULTICAST_IF, bits(loopback));
    MemorySegment name = arena.allocate(NAME_BYTES, Long.BYTES);
    write(name, address);
    call("bind", BIND, socket, name, NAME_BYTES);
    if (address.getAddress().isMulticastAddress()) {
      MemorySegment membership = arena.allocate(2L * Integer.BYTES, Integer.BYTES);
      membership.set(JAVA_INT, 0, bits(address.getAddress()));
      membership.set(JAVA_INT, Integer.BYTES, bits(loopback));
      call(
          "setsockopt",
          SETSOCKOPT,
          socket,
          IPPROTO_IP,
          IP_ADD_MEMBERSHIP,
          membership,
          2 * Integer.BYTES);
    }
    return new SystemDatagrams(socket, sizeBytes, arena);
  }

  @Override
  public void receive(Receiver receiver) throws IOException {
    for (int i = 0; i < BATCH; i++) {
      in.headers.set(JAVA_INT, i * HEADER_BYTES + NAME_LENGTH_AT, NAME_BYTES);
    }
    int received = receive();
    for (int at = 0; at < received; at++) {
      int length = in.headers.get(JAVA_INT, at * HEADER_BYTES + LENGTH_AT);
      receiver.received(in.views[at].clear().limit(length), at);
    }
  }

  private int receive() throws IOException {
    try {
      return checked(
          "recvmmsg",
          (int)
              RECVMMSG.invokeExact(socket, in.headers, BATCH, MSG_WAITFORONE, MemorySegment.NULL));
    } catch (IOException failed) {
      throw failed;
    } catch (Throwable impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  @Override
  public InetSocketAddress from(int at) {
    long nameAt = (long) at * NAME_BYTES;
    int address = in.names.get(JAVA_INT, nameAt + ADDRESS_AT);
    int port = Short.toUnsignedInt(Short.reverseBytes(in.names.get(JAVA_SHORT, nameAt + PORT_AT)));
    long key = ((long) address << PORT_BITS) | port;
    return peers.computeIfAbsent(key, unknown -> peer(address, port));
  }

  @Override
  @SuppressWarnings("restricted") // The vector's address was put there by this class.
  public void add(int client, int sequence, InetSocketAddress to) throws IOException {
    write(out.names.asSlice((long) gathered * NAME_BYTES, NAME_BYTES), to);
    out.views[gathered].clear().putInt(client).putInt(sequence);
    if (outVectorLengths[gathered] != sizeBytes) {
      outVectorLengths[gathered] = sizeBytes;
      MemorySegment vector =
          out.headers.get(ADDRESS, gathered * HEADER_BYTES + VECTOR_AT).reinterpret(VECTOR_BYTES);
      vector.set(JAVA_LONG, Long.BYTES, sizeBytes);
    }
    if (++gathered == BATCH) {
      flush();
    }
  }

  @Override
  public void flush() throws IOException {
    int sent = 0;
    while (sent < gathered) {
      MemorySegment rest = out.headers.asSlice(sent * HEADER_BYTES);
      sent += send(rest, gathered - sent);
    }
    gathered = 0;
  }

  private int send(MemorySegment headers, int count) throws IOException {
    try {
      return checked("sendmmsg", (int) SENDMMSG.invokeExact(socket, headers, count, 0));
    } catch (IOException failed) {
      throw failed;
    } catch (Throwable impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static InetSocketAddress peer(int address, int port) {
    byte[] bytes =
        ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.nativeOrder()).putInt(address).array();
    try {
      return new InetSocketAddress(InetAddress.getByAddress(bytes), port);
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static void write(MemorySegment name, InetSocketAddress address) {
    name.set(JAVA_SHORT, 0, (short) AF_INET);
    name.set(JAVA_SHORT, PORT_AT, Short.reverseBytes((short) address.getPort()));
    name.set(JAVA_INT, ADDRESS_AT, bits(address.getAddress()));
  }

  /** The address as it lies in memory. */
  private static int bits(InetAddress address) {
    if (!(address instanceof Inet4Address)) {
      throw new IllegalArgumentException("an IPv4 address is needed, not " + address);
    }
    return MemorySegment.ofArray(address.getAddress()).get(ValueLayout.JAVA_INT_UNALIGNED, 0);
  }

  private static void option(Arena arena, int socket, int level, int name, int value)
      throws IOException {
    MemorySegment place = arena.allocate(JAVA_INT);
    place.set(JAVA_INT, 0, value);
    call("setsockopt", SETSOCKOPT, socket, level, name, place, Integer.BYTES);
  }

  /** Not for what is called often. */
  private static int call(String name, MethodHandle function, Object... arguments)
      throws IOException {
    try {
      return checked(name, (int) function.invokeWithArguments(arguments));
    } catch (IOException failed) {
      throw failed;
    } catch (Throwable impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static int checked(String name, int result) throws IOException {
    if (result < 0) {
      throw new IOException(name + " fails");
    }
    return result;
  }

  @SuppressWarnings("restricted") // The descriptors are those of the system's manual.
  private static MethodHandle function(String name, FunctionDescriptor descriptor) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), descriptor);
  }
}
