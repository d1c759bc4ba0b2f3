package dev.tempest.config;

import dev.tempest.config.ServiceOptions.Execute;
import dev.tempest.config.ServiceOptions.Reconcile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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
      problems.attempt(() -> read(required(Key.SERVICE_NAME, mapping), mapping));
    }
  }

  private void read(ConfigText name, YamlMapping mapping) {
    name.parse(Key.SERVICE_NAME.remedy(), ServiceConfig::checkName);
    ConfigText type = required(Key.CLASS, mapping);
    type.parse(Key.CLASS.remedy(), ServiceConfig::checkClass);
    var service = ServiceConfig.builder(name.value(), type.value()).where(type.where());
    problems.attempt(() -> mapping.text(Key.JAR.word()).ifPresent(text -> service.jar(jar(text))));
    service.options(options(mapping));
    name.parse("give each service a name of its own", value -> node.service(service.build()));
  }

  private ServiceOptions options(YamlMapping mapping) {
    List<String> unchecked = new ArrayList<>();
    for (ConfigText text : mapping.texts(Key.UNCHECKED.word()).orElse(List.of())) {
      problems.attempt(
          () -> unchecked.add(text.parse(Key.UNCHECKED.remedy(), ServiceConfig::checkClass)));
    }
    return new ServiceOptions(
        choose(Key.EXECUTE, mapping, Execute.ALL),
        choose(Key.RECONCILE, mapping, Reconcile.MERGE),
        unchecked);
  }

  private <E extends Enum<E>> E choose(Key key, YamlMapping mapping, E usual) {
    try {
      Optional<ConfigText> written = mapping.text(key.word());
      return written.isEmpty()
          ? usual
          : written.get().choose(key.word(), List.of(usual.getDeclaringClass().getEnumConstants()));
    } catch (ConfigException refused) {
      problems.add(refused);
      return usual;
    }
  }

  private Path jar(ConfigText text) {
    Path jar = text.parse(Key.JAR.remedy(), folder::resolve).normalize();
    if (!Files.isRegularFile(jar)) {
      throw new ConfigException(text.where(), "jar " + jar + " not found", Key.JAR.remedy());
    }
    return jar;
  }

  private static ConfigText required(Key key, YamlMapping mapping) {
    return mapping
        .text(key.word())
        .orElseThrow(() ->
            new ConfigException(mapping.where(), "a service without " + key.word(), key.remedy()));
  }
}
