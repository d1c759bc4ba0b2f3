package dev.tempest.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExportsTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.RequiresTree;
import com.sun.source.util.TreeScanner;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The arrows between modules and packages point only the way that docs/explanation/architecture.md
 * draws.
 */
final class ArrowsTest {
  private static final String ORDER_TIME = "dev.tempest.protocol.order.time";

  /** Who may name the order by time, file or folder, beside itself. */
  private static final Set<String> MAY_KNOW_ORDER_TIME =
      Set.of(
          "wire",
          "protocol/src/main/java/dev/tempest/protocol/order/time",
          "protocol/src/test/java/dev/tempest/protocol/order/time",
          "protocol/src/main/java/dev/tempest/protocol/order/Orders.java", // Makes its machines.
          "protocol/src/main/java/dev/tempest/protocol/order/Stamp.java", // Tells any order an age.
          "protocol/src/test/java/dev/tempest/protocol/frontend", // Reads its stamps.
          "simulator", // Draws its settings and judges what it does.
          "simulation-tests", // The same.
          "runtime/src/test/java/dev/tempest/CausalChainTest.java", // Makes handles up.
          "runtime/src/test/java/dev/tempest/runtime/node/ReadBacklogTest.java", // The same.
          "bench/src/main/java/dev/tempest/bench/DataAccess.java", // Asks without Requests.
          "bench/src/main/java/dev/tempest/bench/RogueClients.java", // The same.
          "cluster-tests/src/test/java/dev/tempest/cluster/RogueProgram.java"); // The same.

  /** What only the order itself, and the wire that carries it, look into. */
  private static final Set<String> OF_ORDER_BY_TIME =
      Set.of("dev.tempest.wire.SeenByTime", "OrderPart.Stamped");

  /** What modules may require; the annotations of org.jspecify vanish at run time. */
  private static final Map<String, Set<String>> MAY_REQUIRE =
      Map.of(
          "config", Set.of("org.jspecify", "org.snakeyaml.engine"),
          "jcache", Set.of("org.jspecify", "cache.api", "dev.tempest.runtime", "java.management"),
          "values", Set.of("org.jspecify"),
          "state", Set.of("org.jspecify", "dev.tempest.values"),
          "service", Set.of("org.jspecify", "dev.tempest.state"),
          "wire", Set.of("org.jspecify", "dev.tempest.values"),
          "protocol", Set.of("org.jspecify", "dev.tempest.service", "dev.tempest.wire"),
          "sessions", Set.of("org.jspecify", "dev.tempest.runtime"),
          "simulator", Set.of("org.jspecify", "dev.tempest.protocol"));

  /** What applications need; of Tempest's other packages they see nothing. */
  private static final Set<String> FOR_APPLICATIONS =
      Set.of(
          "dev.tempest",
          "dev.tempest.admin",
          "dev.tempest.config",
          "dev.tempest.operations",
          "dev.tempest.jcache",
          "dev.tempest.http",
          "dev.tempest.service",
          "dev.tempest.sessions",
          "dev.tempest.sessions.servlet",
          "dev.tempest.sessions.tomcat",
          "dev.tempest.sessions.spring",
          "dev.tempest.spring",
          "dev.tempest.spring.test",
          "dev.tempest.state",
          "dev.tempest.values");

  /**
   * Modules without anything that the event loop runs: their lines are written where they come up.
   */
  private static final Set<String> ON_THREADS_OF_USERS =
      Set.of("sessions", "sessions-servlet", "sessions-tomcat");

  /** Packages of applications of our own. */
  private static final Set<String> APPLICATIONS =
      Set.of("dev.tempest.embedding", "dev.tempest.examples");

  /** What bench measures is no module; applications of Spring Boot mostly are none. */
  private static final Set<String> WITHOUT_DESCRIPTOR = Set.of("bench", "examples/spring-boot");

  @Test
  void onlyOnePlaceKnowsThatTheOrderIsByTime() {
    var violations = new TreeSet<String>();
    for (var unit : Sources.units()) {
      if (unit.getPackage() == null
          || MAY_KNOW_ORDER_TIME.stream().anyMatch(Sources.pathOf(unit)::startsWith)) {
        continue;
      }
      if (namesIn(unit).stream().anyMatch(ArrowsTest::isOfOrderByTime)) {
        violations.add(Sources.pathOf(unit) + " uses the order by time");
      }
    }
    assertThat(violations).isEmpty();
  }

  @Test
  void modulesRequireOnlyWhatTheirLevelAllows() {
    var violations = new TreeMap<String, Set<String>>();
    for (var unit : Sources.units()) {
      var allowed = MAY_REQUIRE.get(Sources.moduleOf(unit));
      if (unit.getModule() == null || allowed == null) {
        continue;
      }
      var excess = new TreeSet<String>();
      for (var directive : unit.getModule().getDirectives()) {
        if (directive instanceof RequiresTree requires) {
          excess.add(requires.getModuleName().toString());
        }
      }
      excess.removeAll(allowed);
      if (!excess.isEmpty()) {
        violations.put(Sources.moduleOf(unit), excess);
      }
    }
    assertThat(violations).isEmpty();
  }

  @Test
  void everyLogLineWaitsForItsTurn() {
    var violations = new TreeSet<String>();
    for (var unit : Sources.units()) {
      if (namesIn(unit).contains("System.getLogger")
          && !ON_THREADS_OF_USERS.contains(Sources.moduleOf(unit))
          && !Sources.pathOf(unit).endsWith("dev/tempest/runtime/LogLines.java")) {
        violations.add(Sources.pathOf(unit) + " writes to a log, which may block the event loop");
      }
    }
    assertThat(violations).isEmpty();
  }

  @Test
  void onlyWhatApplicationsNeedIsExportedToAll() {
    assertThat(exportedPackages())
        .filteredOn(name -> APPLICATIONS.stream().noneMatch(name::startsWith))
        .hasSameElementsAs(FOR_APPLICATIONS);
  }

  @Test
  void everyModuleHasADescriptorAndIsNullMarked() {
    var modules = new TreeSet<String>();
    var described = new TreeSet<String>();
    for (var unit : Sources.units()) {
      if (!Sources.pathOf(unit).toString().contains("src/main/java")) {
        continue;
      }
      modules.add(Sources.moduleOf(unit));
      var module = unit.getModule();
      var ofModule = module == null ? List.of() : module.getAnnotations();
      var annotations =
          WITHOUT_DESCRIPTOR.contains(Sources.moduleOf(unit))
              ? unit.getPackageAnnotations()
              : ofModule;
      if (annotations.toString().contains("NullMarked")) {
        described.add(Sources.moduleOf(unit));
      }
    }
    assertThat(described).isEqualTo(modules).isNotEmpty();
  }

  /** The packages that all the world may use. */
  static Set<String> exportedPackages() {
    var exported = new TreeSet<String>();
    for (var unit : Sources.units()) {
      if (unit.getModule() == null) {
        continue;
      }
      for (var directive : unit.getModule().getDirectives()) {
        if (directive instanceof ExportsTree exports && exports.getModuleNames() == null) {
          exported.add(exports.getPackageName().toString());
        }
      }
    }
    return exported;
  }

  private static boolean isOfOrderByTime(String name) {
    return name.startsWith(ORDER_TIME) || OF_ORDER_BY_TIME.stream().anyMatch(name::endsWith);
  }

  private static List<String> namesIn(CompilationUnitTree unit) {
    var names = new ArrayList<String>();
    new TreeScanner<@Nullable Void, @Nullable Void>() {
      @Override
      public @Nullable Void visitImport(ImportTree tree, @Nullable Void unused) {
        names.add(tree.getQualifiedIdentifier().toString());
        return null;
      }

      @Override
      public @Nullable Void visitMemberSelect(MemberSelectTree tree, @Nullable Void unused) {
        names.add(tree.toString());
        return super.visitMemberSelect(tree, null);
      }
    }.scan(unit, null);
    return names;
  }
}
