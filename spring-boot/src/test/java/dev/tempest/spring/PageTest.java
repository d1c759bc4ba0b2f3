package dev.tempest.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import javax.tools.JavaFileObject.Kind;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of docs/how-to/spring-boot.md compile. */
final class PageTest {
  private static final Pattern JAVA =
      Pattern.compile("^```java\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

  @Test
  void theExamplesCompile(@TempDir Path classes) throws IOException {
    String page = Files.readString(Path.of("..", "docs", "how-to", "spring-boot.md"));
    List<Source> sources =
        JAVA.matcher(page)
            .results()
            .map(block -> new Source(block.start(), block.group(1)))
            .toList();
    assertThat(sources).hasSize(4);
    StringWriter complaints = new StringWriter();
    boolean isFine =
        ToolProvider.getSystemJavaCompiler()
            .getTask(
                complaints,
                null,
                null,
                List.of("-d", classes.toString(), "-proc:none", "-parameters"),
                null,
                sources)
            .call();
    assertThat(isFine).as(complaints.toString()).isTrue();
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String code;

    Source(int place, String code) {
      super(URI.create("string:///Block" + place + ".java"), Kind.SOURCE);
      this.code = code;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return code;
    }
  }
}
