package dev.tempest.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.tempest.config.HostPort;
import dev.tempest.config.NodeConfig;
import dev.tempest.config.file.NodeSettings;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1NetworkPolicy;
import io.kubernetes.client.openapi.models.V1PodDisruptionBudget;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1StatefulSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ChartTest {
  private static final String USUAL = "{}";

  /** All that can be switched, the other way. */
  private static final String OTHERWISE =
      """
      replicas: 5
      cluster: carts
      discovery: dns
      image: {repository: registry.example.com/shop, tag: "17", pullSecrets: [registry]}
      config:
        log: adaptive
        collections: {carts: {time-to-live: 30m}}
      env: [{name: TEMPEST_ALLOW, value: 20.0.0.0/8}]
      checkpoints: {enabled: true, size: 20Gi, storageClass: fast}
      probes: http
      networkPolicy:
        from: [{namespaceSelector: {matchLabels: {team: shop}}}]
        metricsFrom: [{namespaceSelector: {matchLabels: {team: monitoring}}}]
      preStopSeconds: 10
      nodeSelector: {disk: fast}
      tolerations: [{key: dedicated, operator: Exists}]
      podAnnotations: {example.com/owner: shop}
      """;

  @TempDir private Path folder = Path.of("");

  @Test
  void helmHasNothingToSay() {
    assertThat(Chart.lint().isFailed()).as("%s", Chart.lint().getMessages()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {USUAL, OTHERWISE, "{networkPolicy: {enabled: false}}"})
  void kubernetesKnowsEveryField(String values) throws IOException {
    for (JsonObject object : Chart.rendered(folder, values)) {
      check(object);
    }
  }

  /** Throws if there is a field that Kubernetes does not know, or not one that it needs. */
  private static void check(JsonObject object) throws IOException {
    String kind = object.get("apiVersion").getAsString() + " " + object.get("kind").getAsString();
    switch (kind) {
      case "v1 ConfigMap" -> V1ConfigMap.validateJsonElement(object);
      case "v1 Service" -> V1Service.validateJsonElement(object);
      case "apps/v1 StatefulSet" -> V1StatefulSet.validateJsonElement(object);
      case "policy/v1 PodDisruptionBudget" -> V1PodDisruptionBudget.validateJsonElement(object);
      case "networking.k8s.io/v1 NetworkPolicy" -> V1NetworkPolicy.validateJsonElement(object);
      default -> throw new AssertionError("the chart makes no " + kind);
    }
  }

  @Test
  void aFieldThatKubernetesDoesNotKnowIsNoticed() throws IOException {
    JsonObject servers = one(USUAL, "StatefulSet");
    pod(servers).addProperty("terminationGracePeriod", 30);
    assertThatThrownBy(() -> check(servers)).hasMessageContaining("terminationGracePeriod");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "replica: 3",
        "discovery: multicast",
        "replicas: 65",
        "{checkpoints: {enabled: true, size: big}}",
        "{config: {members: [10.0.0.1]}}",
        "{probes: http, config: {http: 8080}}",
        "env: [{name: SHOPS, value: 5}]",
        "preStopSeconds: 1.5"
      })
  void aValueThatIsNoneIsRefused(String values) {
    assertThatThrownBy(() -> Chart.rendered(folder, values))
        .hasMessageContaining("values don't meet the specifications of the schema");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{preStopSeconds: 41} | terminationGracePeriodSeconds: allow 20 more than preStopSeconds",
        "{probes: http, config: {http: 'private:80'}} | config.http: the probes ask port 8080"
      })
  void valuesThatDoNotFitAreRefused(String values, String reason) {
    assertThatThrownBy(() -> Chart.rendered(folder, values)).hasMessageContaining(reason);
  }

  /** Services have no such names; Kubernetes would refuse them when other objects are there. */
  @ParameterizedTest
  @ValueSource(strings = {"shop.prod", "1shop"})
  void aNameThatNoServiceHasIsRefused(String release) {
    assertThatThrownBy(() -> Chart.rendered(folder, release, USUAL))
        .hasMessageContaining("the name of the release is that of services");
  }

  @Test
  void allPodsAreTheMembers() throws IOException {
    NodeConfig config = configuration("replicas: 2");
    assertThat(config.cluster()).isEqualTo("shop");
    assertThat(config.members())
        .extracting(HostPort::toString)
        .containsExactly(
            "shop-0.shop-servers.prod.svc.cluster.local:7400",
            "shop-1.shop-servers.prod.svc.cluster.local:7400");
    // Each says which one it is, as it is listed.
    JsonObject advertised = named(container(one(USUAL, "StatefulSet"), "containers"), "env", 1);
    assertThat(advertised.get("name").getAsString()).isEqualTo("TEMPEST_ADVERTISE");
    assertThat(advertised.get("value").getAsString())
        .isEqualTo("$(POD).shop-servers.prod.svc.cluster.local:7400");
  }

  @Test
  void orWhateverPodsThereAre() throws IOException {
    NodeConfig config = configuration(OTHERWISE);
    assertThat(config.cluster()).isEqualTo("carts");
    assertThat(config.dns()).map(HostPort::host).hasValue("shop-servers.prod.svc.cluster.local");
    assertThat(config.members()).isEmpty();
    assertThat(config.checkpoints().folder()).hasValue(Path.of("/data/checkpoints"));
    assertThat(config.collections()).hasSize(1);
    assertThat(settings(OTHERWISE).http()).map(HostPort::port).hasValue(8080); // Probes ask it.
    assertThat(settings(USUAL).http()).isEmpty();
  }

  /** Else two that start at once could found a cluster each, before DNS knows of them. */
  @ParameterizedTest
  @CsvSource({"1, 1", "2, 2", "3, 2", "4, 3", "5, 3"})
  void noneStartsBeforeItKnowsOfAMajority(int replicas, String most) throws IOException {
    JsonObject servers = one("replicas: " + replicas, "StatefulSet");
    JsonObject known = named(container(servers, "initContainers"), "env", 1);
    assertThat(known.get("name").getAsString()).isEqualTo("MOST");
    assertThat(known.get("value").getAsString()).isEqualTo(most);
  }

  /** A pod more is known each time that it is asked for; each has an address of both families. */
  @Test
  @Timeout(60)
  void noneCountsTwiceWhereThereAreTwoFamiliesOfAddresses() throws Exception {
    JsonObject others = container(one("replicas: 5", "StatefulSet"), "initContainers");
    String script = others.getAsJsonArray("args").get(0).getAsString();
    String fake =
        """
        sleep() { pods=$((pods + 1)); }
        getent() {
          for pod in $(seq $pods); do
            [ "$1" = ahostsv6 ] || printf '10.0.0.%d STREAM shop\n10.0.0.%d DGRAM\n' $pod $pod
            [ "$1" = ahostsv4 ] || printf 'fd00::%d STREAM shop\nfd00::%d DGRAM\n' $pod $pod
          done
        }
        pods=1
        """;
    ProcessBuilder bash =
        new ProcessBuilder("bash", "-c", fake + script + "echo $pods pods")
            .redirectErrorStream(true);
    bash.environment().putAll(Map.of("MOST", "3", "SERVERS", "shop"));
    Process run = bash.start();
    assertThat(run.inputReader().lines()).containsExactly("3 pods");
    assertThat(run.waitFor()).isZero();
  }

  @Test
  void aPodServesUntilNobodyIsSentToItAndLeavesBeforeItIsKilled() throws IOException {
    JsonObject servers = one("{preStopSeconds: 7}", "StatefulSet");
    JsonObject lifecycle = container(servers, "containers").getAsJsonObject("lifecycle");
    assertThat(lifecycle.toString())
        .isEqualTo("{\"preStop\":{\"exec\":{\"command\":[\"sleep\",\"7\"]}}}");
    assertThat(pod(servers).get("terminationGracePeriodSeconds").getAsInt())
        .isGreaterThanOrEqualTo(7 + 20);
  }

  @Test
  void metricsAreScrapedByThoseWhoMayAndTheyReachNothingElse() throws IOException {
    JsonArray rules =
        one(OTHERWISE, "NetworkPolicy").getAsJsonObject("spec").getAsJsonArray("ingress");
    assertThat(rules).hasSize(2);
    assertThat(rules.get(0).toString()).contains("7400", "8080").doesNotContain("monitoring");
    assertThat(rules.get(1).toString()).contains("monitoring", "8080").doesNotContain("7400");
    String withoutHttp = "{networkPolicy: {metricsFrom: [{podSelector: {}}]}}";
    assertThat(one(withoutHttp, "NetworkPolicy").toString()).doesNotContain("8080");
  }

  @Test
  void serversFindEachOtherBeforeTheyAreReadyAndClientsOnlyThoseThatAre() throws IOException {
    List<JsonObject> services = all(USUAL, "Service");
    assertThat(services).hasSize(2);
    for (JsonObject service : services) {
      JsonObject spec = service.getAsJsonObject("spec");
      boolean isOfServers = name(service).equals("shop-servers");
      assertThat(spec.get("clusterIP").getAsString()).isEqualTo("None");
      assertThat(spec.has("publishNotReadyAddresses")).isEqualTo(isOfServers);
    }
  }

  private NodeConfig configuration(String values) throws IOException {
    return settings(values).config();
  }

  private NodeSettings settings(String values) throws IOException {
    JsonObject map = one(values, "ConfigMap");
    String text = map.getAsJsonObject("data").get("tempest.yaml").getAsString();
    return NodeSettings.read(Files.writeString(folder.resolve("tempest.yaml"), text));
  }

  private JsonObject one(String values, String kind) throws IOException {
    List<JsonObject> all = all(values, kind);
    assertThat(all).hasSize(1);
    return all.getFirst();
  }

  private List<JsonObject> all(String values, String kind) throws IOException {
    List<JsonObject> all = new ArrayList<>(Chart.rendered(folder, values));
    all.removeIf(each -> !each.get("kind").getAsString().equals(kind));
    return all;
  }

  private static String name(JsonObject object) {
    return object.getAsJsonObject("metadata").get("name").getAsString();
  }

  private static JsonObject pod(JsonObject servers) {
    return servers.getAsJsonObject("spec").getAsJsonObject("template").getAsJsonObject("spec");
  }

  private static JsonObject container(JsonObject servers, String kind) {
    JsonArray all = pod(servers).getAsJsonArray(kind);
    assertThat(all).hasSize(1);
    return all.get(0).getAsJsonObject();
  }

  private static JsonObject named(JsonObject container, String list, int index) {
    JsonElement entry = container.getAsJsonArray(list).get(index);
    return entry.getAsJsonObject();
  }
}
