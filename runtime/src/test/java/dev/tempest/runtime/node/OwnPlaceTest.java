package dev.tempest.runtime.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import dev.tempest.config.ConfigException;
import dev.tempest.config.HostPort;
import dev.tempest.config.NodeConfig;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Where a node may listen, by its configuration. */
final class OwnPlaceTest {
  private static final String ELSEWHERE = "10.254.254.254:7400";

  private final NodeConfig.Builder config = NodeConfig.builder();

  @Test
  void isAnyPortOfTheRangeWhereNoMembersAreListed() {
    List<OwnPlace> places = OwnPlace.of(config.listen("127.0.0.1:7400-7402").build());

    assertThat(places).extracting(OwnPlace::port).containsExactly(7400, 7401, 7402);
    assertThat(places).allMatch(place -> place.bind().isLoopbackAddress());
    assertThat(places).extracting(OwnPlace::advertised).containsOnly(Optional.empty());
  }

  @Test
  void isThatOfTheMemberOnThisMachine() {
    NodeConfig listed =
        config.listen("0.0.0.0:7400-7499").members(ELSEWHERE, "127.0.0.1:7411").build();

    assertThat(OwnPlace.of(listed))
        .hasSize(1)
        .allSatisfy(place -> {
          assertThat(place.port()).isEqualTo(7411);
          assertThat(place.bind().isAnyLocalAddress()).isTrue();
          assertThat(place.advertised()).contains(HostPort.parse("127.0.0.1:7411"));
        });
  }

  @Test
  void isAnyMemberOfThisMachineWhosePortIsInTheRange() {
    NodeConfig listed =
        config
            .listen("0.0.0.0:7400-7401")
            .members("127.0.0.1:7401", "127.0.0.1:7400", "127.0.0.1:7402")
            .build();

    assertThat(OwnPlace.of(listed)).extracting(OwnPlace::port).containsExactly(7401, 7400);
  }

  @Test
  void isClosedToOtherMachinesWhereAllMembersAreOnThisOne() {
    NodeConfig listed = config.members("127.0.0.1:7400", "127.0.0.1:7401").build();

    assertThat(OwnPlace.of(listed)).hasSize(2).allMatch(place -> place.bind().isLoopbackAddress());
  }

  @Test
  void isWhereTheMemberIsReachedThatItAdvertises() {
    NodeConfig listed =
        config
            .listen("127.0.0.1:7405-7406")
            .advertise(ELSEWHERE)
            .members("10.254.254.253:7400", ELSEWHERE)
            .build();

    assertThat(OwnPlace.of(listed))
        .extracting(OwnPlace::port, OwnPlace::advertised)
        .containsExactly(
            tuple(7405, Optional.of(HostPort.parse(ELSEWHERE))),
            tuple(7406, Optional.of(HostPort.parse(ELSEWHERE))));
  }

  @Test
  void isRefusedWhereItIsNoneOfTheMembers() {
    refused(
        config.members(ELSEWHERE).build(),
        "members: this process listens on private:7400-7499, which is none of the members."
            + " Write listen: HOST:PORT or --listen with the address and the port of its member, or"
            + " add it to members");
  }

  /** The configuration of another machine is checked here. */
  @Test
  void isRefusedOnEveryMachineIfThatIsSure() {
    for (String sure : List.of("10.254.254.253:7400", "private:7500", "nowhere.invalid:7401")) {
      NodeConfig none = config.listen(sure).members(ELSEWHERE).build();
      assertThatExceptionOfType(ConfigException.class)
          .isThrownBy(() -> OwnPlace.requireMember(none))
          .withMessageContaining("this process listens on " + none.listen());
    }
    for (String unsure : List.of("private", "private:7399-7400", "nowhere.invalid:7400")) {
      OwnPlace.requireMember(config.listen(unsure).members(ELSEWHERE).build());
    }
    OwnPlace.requireMember(NodeConfig.builder().listen("127.0.0.1:7500").build());
    NodeConfig.Builder mapped = config.listen("10.254.254.253:7500").advertise(ELSEWHERE);
    OwnPlace.requireMember(mapped.build());
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> OwnPlace.requireMember(mapped.members("10.254.254.253:7500").build()));
  }

  @Test
  void isRefusedOnAnUnknownHost() {
    refused(
        config.listen("nowhere.invalid").build(),
        "configuration: cannot listen on unknown host 'nowhere.invalid'. Check its spelling");
  }

  private static void refused(NodeConfig config, String message) {
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> OwnPlace.of(config))
        .withMessage(message);
  }
}
