package dev.tempest.config.file;

import dev.tempest.config.ServiceConfig;
import dev.tempest.config.ServiceOptions;
import dev.tempest.config.ServiceOptions.Ballots;
import dev.tempest.config.ServiceOptions.Execute;
import dev.tempest.config.ServiceOptions.Reads;
import dev.tempest.config.ServiceOptions.Reconcile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Reads how one service is hosted. Used once. */
final class ServiceOptionsReader {
  private final YamlMapping mapping;
  private final Problems problems;
  private final Map<Key, ConfigText> texts;

  /**
   * What somebody chose under a key.
   *
   * @param remedy what to do if the consistency leaves it no meaning, and it is to stay
   */
  private record Choice(Place where, String remedy, Consumer<ServiceOptions.Builder> makes) {}

  /**
   * @param texts takes what was written, by key
   */
  ServiceOptionsReader(YamlMapping mapping, Problems problems, Map<Key, ConfigText> texts) {
    this.mapping = mapping;
    this.problems = problems;
    this.texts = texts;
  }

  /** The options; the defaults if there is a problem. */
  ServiceOptions read() {
    String[] unchecked = unchecked();
    ServiceConsistency consistency =
        chosen(Key.CONSISTENCY, ServiceConsistency.class).orElse(ServiceConsistency.EVENTUAL);
    Optional<Choice> executes = choice(Key.EXECUTE, Execute.class, ServiceOptions.Builder::execute);
    List<Choice> others =
        Stream.of(
                choice(Key.RECONCILE, Reconcile.class, ServiceOptions.Builder::reconcile),
                choice(Key.SERVICE_READS, Reads.class, ServiceOptions.Builder::reads),
                choice(Key.BALLOTS, Ballots.class, ServiceOptions.Builder::ballots))
            .flatMap(Optional::stream)
            .toList();
    List<Choice> basis = executes.stream().filter(choice -> suits(consistency, choice)).toList();
    boolean suit = executes.isEmpty() || !basis.isEmpty();
    for (Choice choice : others) {
      suit &= built(consistency, with(basis, List.of(choice)), choice.remedy()).isPresent();
    }
    Optional<ServiceOptions.Builder> whole =
        suit // What suits by itself may still contradict another choice: fast ballots some reads.
            ? built(consistency, with(basis, others), "or write reads: session, or stale")
            : Optional.empty();
    consistency.execute().ifPresent(this::sayWhere);
    return whole
        .map(options -> options.unchecked(unchecked).build())
        .orElse(ServiceOptions.defaults());
  }

  /** The word for the consistency says as well who executes. */
  private void sayWhere(Execute execute) {
    ConfigText consistency = texts.get(Key.CONSISTENCY);
    if (consistency != null) {
      texts.put(Key.EXECUTE, new ConfigText(ConfigText.word(execute), consistency.where()));
    }
  }

  private boolean suits(ServiceConsistency consistency, Choice executes) {
    if (consistency.execute().isPresent()) {
      problems.add(
          executes
              .where()
              .refusal(
                  "consistency: " + ConfigText.word(consistency) + " says who executes",
                  "leave execute out, or write consistency: linearizable"));
      return false;
    }
    return built(consistency, List.of(executes), executes.remedy()).isPresent();
  }

  private static List<Choice> with(List<Choice> basis, List<Choice> more) {
    return Stream.concat(basis.stream(), more.stream()).toList();
  }

  /** Options with these choices; if they contradict each other, that is a problem of the last. */
  private Optional<ServiceOptions.Builder> built(
      ServiceConsistency consistency, List<Choice> choices, String remedy) {
    var options = consistency.options();
    choices.forEach(choice -> choice.makes().accept(options));
    return problems.find(() -> {
      try {
        var unused = options.build();
        return options;
      } catch (IllegalArgumentException contradiction) {
        throw choices.getLast().where().refusal(String.valueOf(contradiction.getMessage()), remedy);
      }
    });
  }

  private <E extends Enum<E>> Optional<Choice> choice(
      Key key, Class<E> all, BiConsumer<ServiceOptions.Builder, E> makes) {
    return chosen(key, all)
        .map(chosen ->
            new Choice(
                mapping.where(key.word()).orElse(mapping.where()),
                remedy(key),
                options -> makes.accept(options, chosen)));
  }

  private static String remedy(Key key) {
    return switch (key) {
      case RECONCILE -> "or write consistency: eventual";
      case BALLOTS -> "or write consistency: state-machine";
      default -> "or write consistency: linearizable";
    };
  }

  private <E extends Enum<E>> Optional<E> chosen(Key key, Class<E> all) {
    return problems
        .find(() -> mapping.text(key))
        .flatMap(text -> text)
        .flatMap(text -> {
          texts.put(key, text);
          return problems.find(() -> text.choose(key.word(), List.of(all.getEnumConstants())));
        });
  }

  private String[] unchecked() {
    List<ConfigText> written = problems.find(() -> mapping.texts(Key.UNCHECKED)).orElse(List.of());
    if (!written.isEmpty()) {
      texts.put(Key.UNCHECKED, ConfigText.joined(written));
    }
    List<String> usable = new ArrayList<>();
    for (ConfigText text : written) {
      problems.attempt(
          () -> usable.add(text.parse(Key.UNCHECKED.remedy(), ServiceConfig::checkClass)));
    }
    return usable.toArray(String[]::new);
  }
}
