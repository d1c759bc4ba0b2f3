package dev.tempest.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import javax.tools.JavaFileObject.Kind;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The examples of docs/how-to/spring-boot.md compile, and those of other pages that need Spring.
 */
final class PageTest {
  private static List<Source> blocks(String page, String language) throws IOException {
    return Pattern.compile("^```" + language + "\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL)
        .matcher(Files.readString(Path.of("..", "docs", "how-to", page)))
        .results()
        .map(block -> new Source(block.start(), block.group(1)))
        .toList();
  }

  @Test
  void theExamplesCompile(@TempDir Path classes) throws IOException {
    List<Source> sources = new ArrayList<>(blocks("spring-boot.md", "java"));
    sources.addAll(blocks("http.md", "java spring")); // The command line's tests skip those.
    assertThat(sources).hasSize(6);
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
