package dev.tempest.config.file;

import dev.tempest.config.NodeConfig;
import dev.tempest.config.ServiceConfig;
import dev.tempest.config.ServiceOptions;
import dev.tempest.config.ServiceOptions.Ballots;
import dev.tempest.config.ServiceOptions.Execute;
import dev.tempest.config.ServiceOptions.Reads;
import dev.tempest.config.ServiceOptions.Reconcile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Reads which services are hosted, and how. Used once. */
final class ServiceReader {
  private final NodeConfig.Builder node;
  private final Problems problems;
  private final Path folder;

  /**
   * @param folder that relative paths start from
   */
  ServiceReader(NodeConfig.Builder node, Problems problems, Path folder) {
    this.node = node;
    this.problems = problems;
    this.folder = folder;
  }

  void read(YamlMapping root) {
    for (YamlMapping mapping : root.mappingList(Key.SERVICES.word(), Key.words(Key.ofService()))) {
      problems.attempt(() -> readService(mapping));
    }
  }

  private void readService(YamlMapping mapping) {
    Optional<ConfigText> name = required(Key.SERVICE_NAME, mapping, ServiceConfig::checkName);
    Optional<ConfigText> type = required(Key.CLASS, mapping, ServiceConfig::checkClass);
    Optional<Path> jar = mapping.text(Key.JAR.word()).flatMap(this::jar);
    ServiceOptions options = options(mapping);
    if (name.isPresent() && type.isPresent()) {
      var service =
          ServiceConfig.builder(name.get().value(), type.get().value())
              .where(type.get().where().toString())
              .options(options);
      jar.ifPresent(service::jar);
      name.get()
          .parse("give each service a name of its own", value -> node.service(service.build()));
    }
  }

  private ServiceOptions options(YamlMapping mapping) {
    List<String> unchecked = new ArrayList<>();
    for (ConfigText text : mapping.texts(Key.UNCHECKED.word())) {
      problems.attempt(
          () -> unchecked.add(text.parse(Key.UNCHECKED.remedy(), ServiceConfig::checkClass)));
    }
    ServiceConsistency consistency =
        choice(Key.CONSISTENCY, mapping, ServiceConsistency.class)
            .orElse(ServiceConsistency.EVENTUAL);
    List<UnaryOperator<ServiceOptions.Builder>> choices = new ArrayList<>();
    choice(Key.RECONCILE, mapping, Reconcile.class)
        .ifPresent(chosen -> choices.add(options -> options.reconcile(chosen)));
    if (consistency.saysWhoExecutes() && mapping.text(Key.EXECUTE.word()).isPresent()) {
      problems.add(
          mapping
              .where()
              .refusal(
                  "consistency: " + ConfigText.word(consistency) + " says who executes",
                  "leave execute out, or write consistency: linearizable"));
    } else {
      choice(Key.EXECUTE, mapping, Execute.class)
          .ifPresent(chosen -> choices.add(options -> options.execute(chosen)));
    }
    choice(Key.SERVICE_READS, mapping, Reads.class)
        .ifPresent(chosen -> choices.add(options -> options.reads(chosen)));
    var options = consistency.options().unchecked(unchecked.toArray(String[]::new));
    boolean contradicts = false;
    for (UnaryOperator<ServiceOptions.Builder> choice : choices) {
      contradicts |= problems.find(() -> alone(choice, consistency, mapping)).isEmpty();
      options = choice.apply(options);
    }
    Optional<Ballots> ballots = choice(Key.BALLOTS, mapping, Ballots.class);
    if (contradicts) {
      return ServiceOptions.defaults();
    }
    ServiceOptions.Builder all = ballots.map(options::ballots).orElse(options);
    return problems.find(() -> whole(all, mapping)).orElse(ServiceOptions.defaults());
  }

  private static ServiceOptions whole(ServiceOptions.Builder options, YamlMapping mapping) {
    try {
      return options.build();
    } catch (IllegalArgumentException contradiction) {
      throw mapping
          .where()
          .refusal(
              String.valueOf(contradiction.getMessage()),
              "leave ballots out, or write consistency: state-machine");
    }
  }

  /** A choice and nothing else but the consistency, so that each that contradicts it is named. */
  private static ServiceOptions alone(
      UnaryOperator<ServiceOptions.Builder> choice,
      ServiceConsistency consistency,
      YamlMapping mapping) {
    try {
      return choice.apply(consistency.options()).build();
    } catch (IllegalArgumentException contradiction) {
      throw mapping
          .where()
          .refusal(String.valueOf(contradiction.getMessage()), consistency.remedy());
    }
  }

  private <E extends Enum<E>> Optional<E> choice(Key key, YamlMapping mapping, Class<E> all) {
    return mapping
        .text(key.word())
        .flatMap(
            text -> problems.find(() -> text.choose(key.word(), List.of(all.getEnumConstants()))));
  }

  private Optional<Path> jar(ConfigText text) {
    return problems.find(() -> {
      Path jar = text.parse(Key.JAR.remedy(), folder::resolve).normalize();
      if (!Files.isRegularFile(jar)) { // People see at once which folder it is relative to.
        Path tried = jar.toAbsolutePath().normalize();
        throw text.where().refusal("jar " + tried + " not found", Key.JAR.remedy());
      }
      return jar;
    });
  }

  private Optional<ConfigText> required(Key key, YamlMapping mapping, UnaryOperator<String> check) {
    return problems.find(() -> {
      ConfigText text =
          mapping
              .text(key.word())
              .orElseThrow(
                  () -> mapping.where().refusal("a service without " + key.word(), key.remedy()));
      text.parse(key.remedy(), check);
      return text;
    });
  }
}
