package dev.tempest.container;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import com.marcnuri.helm.TemplateCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The chart of this folder, as Helm sees it. */
final class Chart {
  private static final Path FOLDER = Path.of("helm", "tempest").toAbsolutePath();

  /** With fewer features than any that is still maintained. */
  private static final String KUBERNETES = "1.30.0";

  private Chart() {}

  static LintResult lint() {
    return new Helm(FOLDER).lint().strict().call();
  }

  /**
   * What an installation with these values has Kubernetes make.
   *
   * @throws IllegalStateException if the chart refuses them
   */
  static List<JsonObject> rendered(Path folder, String values) throws IOException {
    return rendered(folder, "shop", values);
  }

  /** Likewise, of a release of this name. */
  static List<JsonObject> rendered(Path folder, String release, String values) throws IOException {
    Path file = Files.writeString(folder.resolve("values.yaml"), values);
    TemplateCommand template =
        new Helm(FOLDER)
            .template()
            .withName(release)
            .withNamespace("prod")
            .withKubeVersion(KUBERNETES)
            .withValuesFile(file);
    // Refuses a key that is there twice.
    Load yaml = new Load(LoadSettings.builder().setAllowDuplicateKeys(false).build());
    List<JsonObject> objects = new ArrayList<>();
    for (Object object : yaml.loadAllFromString(template.call())) {
      JsonElement json = new Gson().toJsonTree(object);
      if (json.isJsonObject()) { // The others are comments alone.
        objects.add(json.getAsJsonObject());
      }
    }
    return objects;
  }
}
