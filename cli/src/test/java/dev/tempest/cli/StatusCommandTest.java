package dev.tempest.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.admin.ClusterStatus;
import dev.tempest.admin.CollectionStatus;
import dev.tempest.admin.MemberStatus;
import dev.tempest.admin.NodeStatus;
import dev.tempest.admin.ProtocolVersions;
import dev.tempest.admin.ServiceStatus;
import dev.tempest.admin.ServiceStatus.Role;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class StatusCommandTest {
  private static final List<String> SERVERS =
      List.of("127.0.0.1:7400", "127.0.0.1:7401", "127.0.0.1:7402");

  @Test
  void aWholeClusterAnswersAndAgrees() {
    ClusterStatus status =
        answers(status(0, 28_000, 7), status(1, 28_000, 7), status(2, 28_000, 7));

    assertThat(status.isWhole()).isTrue();
    assertThat(status.agreeing("cart")).isEqualTo(SERVERS);
    assertThat(StatusCommand.table(status, 80)).endsWith("cart: 3 of 3 answer, and they agree");
  }

  @Test
  void aNodeThatDoesNotAnswerIsShownAsSuch() {
    ClusterStatus status = answers(status(0, 28_000, 7), status(2, 28_000, 7));

    assertThat(status.isWhole()).isFalse();
    assertThat(StatusCommand.table(status, 80))
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80))
        .first()
        .asString()
        .containsSubsequence(SERVERS);
    assertThat(String.join("\n", StatusCommand.table(status, 80)))
        .contains("no answer")
        .containsPattern("executed +28,000 +- +28,000\n")
        .containsPattern("agrees +yes +- +yes")
        .endsWith("cart: 2 of 3 answer, and they agree");
  }

  @Test
  void membersAreShownThatNobodyHasNamed() {
    ClusterStatus status =
        answers(
            status(
                0,
                28_000,
                7,
                new MemberStatus("127.0.0.1:7400", "", false),
                new MemberStatus("127.0.0.1:7403", "", false),
                new MemberStatus("127.0.0.1:7404", "", true)));

    assertThat(status.everybody(true))
        .containsExactly(
            SERVERS.get(0), SERVERS.get(1), SERVERS.get(2), "127.0.0.1:7403", "127.0.0.1:7404");
    assertThat(status.everybody(false))
        .containsExactly(SERVERS.get(0), "127.0.0.1:7403", "127.0.0.1:7404");
    assertThat(answers().everybody(false)).isEqualTo(SERVERS);
    assertThat(withOtherVersions(status(0, 28_000, 7)).everybody(false))
        .containsSubsequence(SERVERS.get(0), SERVERS.get(1))
        .doesNotContain(SERVERS.get(2));
  }

  @Test
  void whoeverIsAskedByTwoNamesCountsOnce() {
    NodeStatus answer = status(0, 28_000, 7, new MemberStatus(SERVERS.get(0), "", false));
    List<String> asked = List.of("localhost:7400", SERVERS.get(0));
    ClusterStatus status =
        new ClusterStatus(asked, Map.of(asked.get(0), answer, asked.get(1), answer), Map.of());
    assertThat(status.everybody(false)).containsExactly(SERVERS.get(0));
  }

  /** As in a container: by its loopback address, and as a seed that the others look up as well. */
  @Test
  void whoeverIsAskedByTwoNamesAndNotAtItsAddressCountsOnce() {
    NodeStatus first = status(0, 28_000, 7, new MemberStatus("172.18.0.2:7400", "", false));
    NodeStatus second = status(0, 28_000, 7, new MemberStatus("172.18.0.3:7400", "", false));
    List<String> asked = List.of("127.0.0.1:7400", "shop-1:7400", "shop-2:7400");
    Map<String, NodeStatus> answers =
        Map.of(asked.get(0), first, asked.get(1), first, asked.get(2), second);
    assertThat(new ClusterStatus(asked, answers, Map.of()).everybody(false))
        .containsExactly("127.0.0.1:7400", "shop-2:7400");
  }

  /** A name that a server tells would be looked up by whoever asks it. */
  @Test
  void membersAreAskedAtAddressesOnly() {
    MemberStatus self = new MemberStatus(SERVERS.get(0), "", false);
    MemberStatus named = new MemberStatus("elsewhere.example:7400", "", false);
    MemberStatus malformed = new MemberStatus("no address", "", false);
    assertThat(answers(status(0, 28_000, 7, self, named, malformed)).everybody(true))
        .isEqualTo(SERVERS);
  }

  @Test
  void aSilentMemberIsMissing() {
    MemberStatus self = new MemberStatus(SERVERS.get(0), "", false);
    MemberStatus silent = new MemberStatus(SERVERS.get(1), "", true);
    NodeStatus answer = status(0, 28_000, 7, self, silent);
    List<String> shown =
        new ClusterStatus(SERVERS, Map.of(SERVERS.get(0), answer), Map.of()).everybody(false);
    ClusterStatus status = new ClusterStatus(shown, Map.of(SERVERS.get(0), answer), Map.of());

    assertThat(status.isWhole()).isFalse();
    assertThat(String.join("\n", StatusCommand.table(status, 80)))
        .containsPattern("up since +[0-9: -]+ no answer\n")
        .containsPattern("  127.0.0.1:7401 +silent +-\n")
        .endsWith("cart: 1 of 2 answers");
  }

  @Test
  void equalCountsWithAnotherHashDoNotAgree() {
    ClusterStatus status =
        answers(status(0, 28_000, 7), status(1, 28_000, 8), status(2, 28_000, 7));

    assertThat(status.isWhole()).isFalse();
    assertThat(status.agreeing("cart")).containsExactly(SERVERS.get(0), SERVERS.get(2));
    assertThat(StatusCommand.table(status, 80))
        .endsWith("cart: 3 of 3 answer, 2 of them agree; the others are catching up");
  }

  @Test
  void whoHostsAnotherServiceHasNothingToAgreeWith() {
    ClusterStatus status = answers(status(0, 28_000, 7), hostsNothing(1), status(2, 28_000, 7));

    assertThat(StatusCommand.table(status, 80))
        .endsWith("cart: 3 of 3 answer, 2 host it, and they agree");
    assertThat(StatusCommand.table(answers(status(0, 28_000, 7), hostsNothing(1)), 80))
        .endsWith("cart: 2 of 3 answer, 1 hosts it");
  }

  @Test
  void withoutMajorityTheOneAheadCounts() {
    assertThat(answers(status(0, 10, 7), status(1, 12, 8)).agreeing("cart"))
        .containsExactly(SERVERS.get(1));
  }

  @Test
  void theTableTellsOfClocksDropsMembersAndCollections() {
    assertThat(String.join("\n", StatusCommand.table(answers(status(0, 2, 7)), 80)))
        .containsPattern("clock offset +-1,500 ms \\+-1 +- +-\n")
        .containsPattern("dropped +7 +- +-\n  malformed +7 ")
        .containsPattern("members +5 +- +-\n")
        .containsPattern("  10.0.0.9:7400 \\(east\\) +silent +-")
        .containsPattern("  127.0.0.1:7400 +yes +-")
        .containsPattern("  and more +3 +-")
        .containsPattern("lag +950 ms +-")
        .containsPattern("checkpoint +12 s, failing +-")
        .containsPattern("by votes +7 +-")
        .containsPattern("  list 'log' +3, \\? B +-")
        .containsPattern("  map 'carts' +1,200, 40,000 B +-")
        .containsPattern("more collections +12 +-");
  }

  @Test
  void whoLeadsIsShownWhereOneHasTo() {
    ClusterStatus status =
        answers(
            status(0, 7, Role.FOLLOWER), status(1, 7, Role.LEADER), status(2, 7, Role.FOLLOWER));

    assertThat(status.leader("cart")).hasValue(SERVERS.get(1));
    assertThat(String.join("\n", StatusCommand.table(status, 80)))
        .containsPattern("role +follower +leader +follower\n");
    ClusterStatus byTime = answers(status(0, 2, 7));
    assertThat(byTime.leader("cart")).isEmpty();
    assertThat(StatusCommand.table(byTime, 80)).noneMatch(line -> line.contains("role"));
  }

  /** It lacks nothing that it should have. */
  @Test
  void whoHasNoCopyIsNotBehind() {
    ClusterStatus status =
        answers(status(0, 7, Role.LEADER), status(1, 7, Role.FOLLOWER), status(2, 0, Role.SPARE));

    assertThat(status.isWhole()).isTrue();
    assertThat(String.join("\n", StatusCommand.table(status, 80)))
        .contains("3 of 3 answer, 1 is a spare, and they agree")
        .containsPattern("active +yes +yes +no, a spare\n")
        .containsPattern("role +leader +follower +spare\n")
        .containsPattern("agrees +yes +yes +-");
  }

  /** Those that had one have ended. */
  @Test
  void whereNobodyHasACopySomethingIsMissing() {
    ClusterStatus status =
        answers(status(0, 0, Role.SPARE), status(1, 0, Role.SPARE), status(2, 0, Role.SPARE));

    assertThat(status.isWhole()).isFalse();
    assertThat(String.join("\n", StatusCommand.table(status, 80)))
        .contains("3 of 3 answer, 3 are spares, and none has a state: their logs say why");
  }

  @Test
  void jsonHasAllNodes() {
    assertThat(json())
        .isEqualTo(
            "{\"whole\":false,\"speaks\":{\"lowest\":2,\"highest\":2},\"nodes\":[{\"node\":\"127.0.0.1:7400\",\"answers\":true,"
                + "\"upSince\":\"1970-01-01T00:00:00Z\",\"clockOffsetMillis\":-1500,"
                + "\"clockErrorMillis\":1,\"dropped\":{\"malformed\":7},\"members\":["
                + "{\"address\":\"127.0.0.1:7400\",\"name\":\"\",\"silent\":false},"
                + "{\"address\":\"10.0.0.9:7400\",\"name\":\"east\",\"silent\":true}],"
                + "\"membersMore\":3,\"services\":[{\"name\":\"cart\","
                + "\"active\":true,\"role\":\"peer\",\"executed\":2,\"hash\":\"0000000000000007\","
                + "\"settled\":0,\"unsettled\":2,\"lagMillis\":950,"
                + "\"checkpointMillis\":12500,\"checkpointFailing\":true,\"late\":3,\"rerun\":4,\"repaired\":5,"
                + "\"reads\":6,\"byVotes\":7,\"diverged\":0,\"agrees\":true}],\"collections\":[{\"service\":\"cart\",\"collection\":\"map"
                + " 'carts'\","
                + "\"entries\":1200,\"bytes\":40000},{\"service\":\"cart\",\"collection\":\"list"
                + " 'log'\",\"entries\":3,\"bytes\":null}],\"collectionsMore\":12},"
                + "{\"node\":\"127.0.0.1:7401\",\"answers\":false,"
                + "\"speaks\":{\"lowest\":3,\"highest\":4}},"
                + "{\"node\":\"127.0.0.1:7402\",\"answers\":false}]}");
  }

  /** What has all fields. */
  static String json() {
    return withOtherVersions(status(0, 2, 7)).toJson();
  }

  private static ClusterStatus answers(NodeStatus... answers) {
    Map<String, NodeStatus> byName =
        Arrays.stream(answers).collect(Collectors.toMap(NodeStatus::name, Function.identity()));
    return new ClusterStatus(SERVERS, byName, Map.of());
  }

  /** The first server answers, the second one does in a later version, and the third is silent. */
  private static ClusterStatus withOtherVersions(NodeStatus answer) {
    return new ClusterStatus(
        SERVERS,
        Map.of(SERVERS.get(0), answer),
        Map.of(SERVERS.get(1), new ProtocolVersions(3, 4)));
  }

  private static NodeStatus hostsNothing(int server) {
    return new NodeStatus(
        SERVERS.get(server),
        Instant.EPOCH,
        Duration.ZERO,
        Duration.ZERO,
        List.of(),
        List.of(),
        0,
        List.of(),
        0,
        Map.of());
  }

  private static NodeStatus status(int server, long executed, long hash) {
    return status(
        server,
        executed,
        hash,
        new MemberStatus(SERVERS.get(server), "", false),
        new MemberStatus("10.0.0.9:7400", "east", true));
  }

  private static NodeStatus status(int server, long executed, long hash, MemberStatus... members) {
    return status(server, executed, hash, Role.PEER, members);
  }

  private static NodeStatus status(int server, long executed, Role role) {
    return status(server, executed, 7, role);
  }

  private static NodeStatus status(
      int server, long executed, long hash, Role role, MemberStatus... members) {
    return new NodeStatus(
        SERVERS.get(server),
        Instant.EPOCH,
        Duration.ofMillis(-1_500),
        Duration.ofNanos(300_000),
        List.of(
            new ServiceStatus(
                "cart",
                role != Role.SPARE,
                role,
                executed,
                hash,
                2,
                3,
                4,
                5,
                6,
                7,
                0,
                OptionalLong.of(950),
                OptionalLong.of(12_500),
                true)),
        List.of(members),
        3,
        List.of(
            new CollectionStatus("cart", "map 'carts'", 1_200, OptionalLong.of(40_000)),
            new CollectionStatus("cart", "list 'log'", 3, OptionalLong.empty())),
        12,
        Map.of("malformed", 7L));
  }
}
