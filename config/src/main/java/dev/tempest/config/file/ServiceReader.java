package dev.tempest.config.file;

import dev.tempest.config.NodeConfig;
import dev.tempest.config.ServiceConfig;
import dev.tempest.config.ServiceOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Reads which services are hosted, and how. Used once. */
final class ServiceReader {
  private final NodeConfig.Builder node;
  private final Problems problems;
  private final Map<String, Map<Key, ConfigText>> written = new LinkedHashMap<>();

  ServiceReader(NodeConfig.Builder node, Problems problems) {
    this.node = node;
    this.problems = problems;
  }

  /** What was written of each service, by its name. */
  Map<String, Map<Key, ConfigText>> written() {
    return written;
  }

  /**
   * Reads all of them.
   *
   * @param folder that relative paths start from
   */
  void read(YamlMapping root, Path folder) {
    for (YamlMapping mapping : root.mappingList(Key.SERVICES.word(), Key.words(Key.ofService()))) {
      problems.attempt(() -> readService(mapping, folder));
    }
  }

  private void readService(YamlMapping mapping, Path folder) {
    Map<Key, ConfigText> texts = new EnumMap<>(Key.class);
    Optional<ConfigText> name = required(Key.SERVICE_NAME, mapping, ServiceConfig::checkName);
    Optional<ConfigText> type = required(Key.CLASS, mapping, ServiceConfig::checkClass);
    Optional<ConfigText> jar = problems.find(() -> mapping.text(Key.JAR)).flatMap(text -> text);
    name.ifPresent(text -> texts.put(Key.SERVICE_NAME, text));
    type.ifPresent(text -> texts.put(Key.CLASS, text));
    jar.ifPresent(text -> texts.put(Key.JAR, text));
    Optional<Path> found = jar.flatMap(text -> jar(text, folder));
    ServiceOptions options = new ServiceOptionsReader(mapping, problems, texts).read();
    if (name.isPresent() && type.isPresent()) {
      var service =
          ServiceConfig.builder(name.get().value(), type.get().value())
              .where(type.get().where().toString())
              .options(options);
      found.ifPresent(service::jar);
      name.get()
          .parse("give each service a name of its own", value -> node.service(service.build()));
      written.put(name.get().value(), texts);
    }
  }

  private Optional<Path> jar(ConfigText text, Path folder) {
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
              .text(key)
              .orElseThrow(
                  () -> mapping.where().refusal("a service without " + key.word(), key.remedy()));
      text.parse(key.remedy(), check);
      return text;
    });
  }
}
