package dev.tempest.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;

/** Callers of {@link RatisServer}s who all write, as those of a {@link Store} do. */
final class RatisClient implements Program.Answers<LoadPlan, Point> {
  private final RaftClient client;

  /** Connects, and puts a value under each key. */
  RatisClient(List<Integer> ports) throws IOException {
    this.client =
        RaftClient.newBuilder()
            .setRaftGroup(RatisServer.group(ports))
            .setProperties(new RaftProperties())
            .build();
    for (int key = 0; key < StoreClient.KEYS; key++) {
      var _ = put(key);
    }
  }

  /** Who led when something was written. */
  int putAndSee() throws IOException {
    RaftClientReply reply = put(0);
    return reply.isSuccess() ? Integer.parseInt(reply.getServerId().toString()) : -1;
  }

  @Override
  public Point answer(LoadPlan plan) throws InterruptedException, ExecutionException {
    return BlockedCallers.run(
        plan, () -> put(ThreadLocalRandom.current().nextInt(StoreClient.KEYS)).isSuccess());
  }

  private RaftClientReply put(int key) throws IOException {
    byte[] entry = new byte[Integer.BYTES + StoreClient.BYTES];
    ByteBuffer.wrap(entry).putInt(key);
    return client.io().send(Message.valueOf(ByteString.copyFrom(entry)));
  }
}
