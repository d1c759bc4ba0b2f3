package dev.tempest.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.googlejavaformat.java.Main;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/** The format is google-java-format's; {@code -Dformat=write} rewrites what differs. */
final class FormatTest {
  private static final boolean WRITE = "write".equals(System.getProperty("format"));

  @Test
  void everyFileIsFormatted() throws Exception {
    var arguments = new ArrayList<String>();
    arguments.add(WRITE ? "--replace" : "--dry-run");
    for (var file : Sources.files()) {
      arguments.add(file.toString());
    }
    var changed = new StringWriter();
    var errors = new StringWriter();
    int exitCode =
        new Main(new PrintWriter(changed), new PrintWriter(errors), InputStream.nullInputStream())
            .format(arguments.toArray(String[]::new));
    assertThat(errors.toString()).isEmpty();
    assertThat(exitCode).isZero();
    assertThat(changed.toString().lines())
        .as("files to format with: mvn -q -pl architecture-tests test -Dformat=write")
        .isEmpty();
  }
}
