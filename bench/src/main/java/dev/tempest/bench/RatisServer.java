package dev.tempest.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;

/**
 * A member of a group of Apache Ratis that keeps the same as a {@link Store}: as it comes, but for
 * a log in memory.
 *
 * @param ports of all members
 */
record RatisServer(List<Integer> ports, int index) implements Program<String, String> {
  private static final RaftGroupId GROUP = RaftGroupId.valueOf(new UUID(0, 1));

  /** All members. */
  static RaftGroup group(List<Integer> ports) {
    List<RaftPeer> members = new ArrayList<>();
    for (int port : ports) {
      RaftPeer.Builder member = RaftPeer.newBuilder().setId(id(members.size()));
      members.add(member.setAddress("127.0.0.1:" + port).build());
    }
    return RaftGroup.valueOf(GROUP, members);
  }

  /** The name of a member. */
  static RaftPeerId id(int index) {
    return RaftPeerId.valueOf(String.valueOf(index));
  }

  @Override
  @SuppressWarnings("resource") // Until the process ends.
  public Answers<String, String> start() throws IOException {
    Path folder = Files.createTempDirectory("tempest-bench-ratis");
    RaftProperties properties = new RaftProperties();
    GrpcConfigKeys.Server.setPort(properties, ports.get(index));
    RaftServerConfigKeys.setStorageDir(properties, List.of(folder.toFile()));
    RaftServerConfigKeys.Log.setUseMemory(properties, true);
    RaftServer.newBuilder()
        .setServerId(id(index))
        .setGroup(group(ports))
        .setProperties(properties)
        .setStateMachine(new Values())
        .build()
        .start();
    return question -> "";
  }

  /** The state of a member. */
  private static final class Values extends BaseStateMachine {
    private final Map<Integer, byte[]> values = new TreeMap<>();

    @Override
    public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
      LogEntryProto entry = transaction.getLogEntry();
      ByteBuffer put = entry.getStateMachineLogEntry().getLogData().asReadOnlyByteBuffer();
      int key = put.getInt();
      byte[] value = new byte[put.remaining()];
      put.get(value);
      values.put(key, value);
      updateLastAppliedTermIndex(entry.getTerm(), entry.getIndex());
      return CompletableFuture.completedFuture(Message.EMPTY);
    }
  }
}
