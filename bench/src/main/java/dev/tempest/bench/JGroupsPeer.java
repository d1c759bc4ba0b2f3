package dev.tempest.bench;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jgroups.Address;
import org.jgroups.JChannel;
import org.jgroups.protocols.UDP;
import org.jgroups.protocols.raft.InMemoryLog;
import org.jgroups.protocols.raft.RAFT;
import org.jgroups.raft.RaftHandle;
import org.jgroups.raft.StateMachine;

/**
 * A member of a group of jgroups-raft with its callers, who write into the same store as those of a
 * {@link Store}: as it comes, but for a log in memory and processes of one machine.
 */
final class JGroupsPeer implements Program.Answers<LoadPlan, Point> {
  static final List<String> MEMBERS = List.of("A", "B", "C");

  /** Whether the member of the callers was the leader. */
  static final String LEADS = "leads";

  private static final Duration LEADER_WITHIN = Duration.ofSeconds(30);
  private static final long LOOK_AGAIN_MILLIS = 1;
  private static final Duration WRITE_MAX = Duration.ofSeconds(10);

  /** So long callers wait when the leader is killed, which takes their requests along. */
  private static final Duration WRITE_AGAIN = Duration.ofMillis(100);

  private final RaftHandle handle;

  private JGroupsPeer(RaftHandle handle) {
    this.handle = handle;
  }

  /** In a process that runs plans once there is a leader. */
  static Program<LoadPlan, Point> program(String member, String group, int port) {
    return () -> join(member, group, port);
  }

  /** In a process that kills the leader, which it must not be. */
  static Program<List<Long>, Point> killer(String member, String group, int port) {
    return () -> new KillClient(join(member, group, port)::putAndSee);
  }

  @SuppressWarnings("resource") // Until the process ends.
  private static JGroupsPeer join(String member, String group, int port) throws Exception {
    System.setProperty("jgroups.bind_addr", "127.0.0.1");
    System.setProperty("jgroups.udp.mcast_port", String.valueOf(port));
    System.setProperty("raft_id", member);
    System.setProperty("raft_members", String.join(",", MEMBERS));
    System.setProperty("log_dir", System.getProperty("java.io.tmpdir"));
    JChannel channel = new JChannel("raft.xml").name(member);
    channel.getProtocolStack().removeProtocol("CLIENT"); // A port of its own for others' sockets.
    UDP transport = channel.getProtocolStack().findProtocol(UDP.class);
    transport.getDiagnosticsHandler().setEnabled(false);
    RAFT raft = channel.getProtocolStack().findProtocol(RAFT.class);
    raft.logClass(InMemoryLog.class.getName());
    JGroupsPeer peer = new JGroupsPeer(new RaftHandle(channel, new Values()));
    channel.connect(group);
    return peer;
  }

  @Override
  public Point answer(LoadPlan plan) throws Exception {
    awaitLeader();
    return BlockedCallers.run(plan, () -> put(WRITE_MAX)).with(LEADS, handle.isLeader());
  }

  private void awaitLeader() throws IOException, InterruptedException {
    long startNanos = System.nanoTime();
    while (handle.leader() == null) {
      if (System.nanoTime() - startNanos > LEADER_WITHIN.toNanos()) {
        throw new IOException("no leader within " + LEADER_WITHIN);
      }
      Thread.sleep(LOOK_AGAIN_MILLIS);
    }
  }

  /** Who leads once something is written. */
  private int putAndSee() {
    try {
      awaitLeader();
      boolean isWritten = put(WRITE_AGAIN);
      Address leader = handle.leader();
      return isWritten && leader != null ? MEMBERS.indexOf(leader.toString()) : -1;
    } catch (Exception unable) { // The leader has gone meanwhile.
      return -1;
    }
  }

  private boolean put(Duration longest) throws Exception {
    byte[] entry = new byte[Integer.BYTES + StoreClient.BYTES];
    ByteBuffer.wrap(entry).putInt(ThreadLocalRandom.current().nextInt(StoreClient.KEYS));
    try {
      handle.set(entry, 0, entry.length, longest.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException | ExecutionException unanswered) {
      return false;
    }
  }

  /** The state of a member. */
  private static final class Values implements StateMachine {
    private static final byte[] NOTHING = {};

    private final Map<Integer, byte[]> values = new TreeMap<>();

    @Override
    public byte[] apply(byte[] data, int offset, int length, boolean isAnswered) {
      ByteBuffer entry = ByteBuffer.wrap(data, offset, length);
      int key = entry.getInt();
      byte[] value = new byte[entry.remaining()];
      entry.get(value);
      values.put(key, value);
      return NOTHING;
    }

    @Override
    public void readContentFrom(DataInput in) throws IOException {
      values.clear();
      for (int left = in.readInt(); left > 0; left--) {
        int key = in.readInt();
        byte[] value = new byte[in.readInt()];
        in.readFully(value);
        values.put(key, value);
      }
    }

    @Override
    public void writeContentTo(DataOutput out) throws IOException {
      out.writeInt(values.size());
      for (Map.Entry<Integer, byte[]> each : values.entrySet()) {
        out.writeInt(each.getKey());
        out.writeInt(each.getValue().length);
        out.write(each.getValue());
      }
    }
  }
}
