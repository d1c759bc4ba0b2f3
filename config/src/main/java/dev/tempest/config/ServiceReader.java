package dev.tempest.config;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

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
    for (Key key : Key.ofService()) {
      if (key.isList()) {
        mapping.texts(key.word()).orElse(List.of()).stream()
            .forEach(text -> text.parse(key.remedy(), service::unchecked));
      } else {
        problems.attempt(() -> mapping.text(key.word()).ifPresent(text -> set(service, key, text)));
      }
    }
    name.parse("give each service a name of its own", value -> node.service(service.build()));
  }

  private void set(ServiceConfig.Builder service, Key key, ConfigText text) {
    switch (key) {
      case JAR -> service.jar(jar(text));
      case RECONCILE ->
          service.reconcile(text.choose(key.word(), List.of(ServiceConfig.Reconcile.values())));
      case EXECUTE ->
          service.execute(text.choose(key.word(), List.of(ServiceConfig.Execute.values())));
      default -> {} // Its name and class are there.
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
