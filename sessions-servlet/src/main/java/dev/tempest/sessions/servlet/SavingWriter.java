package dev.tempest.sessions.servlet;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.CharBuffer;
import java.util.Locale;
import java.util.Set;

/** Of a response: it knows how many bytes the container has got, at most. */
final class SavingWriter extends PrintWriter {
  /** None of them takes more bytes for a char than UTF-8 does. */
  private static final Set<String> NARROW = Set.of("UTF-8", "ISO-8859-1", "US-ASCII");

  /** The most of any encoding. */
  private static final int BYTES_PER_CHAR = 4;

  private final PrintWriter container;

  SavingWriter(SavingResponse response, PrintWriter container) {
    super(new Counted(response, container));
    this.container = container;
  }

  /** The container's writer keeps to itself what fails. */
  @Override
  public boolean checkError() {
    boolean failed = super.checkError();
    return container.checkError() || failed;
  }

  private static final class Counted extends FilterWriter {
    private final SavingResponse response;
    private final boolean isNarrow;

    Counted(SavingResponse response, PrintWriter container) {
      super(container);
      this.response = response;
      String encoding = response.getCharacterEncoding();
      this.isNarrow = NARROW.contains(encoding.toUpperCase(Locale.ROOT));
    }

    private void writes(CharSequence text) {
      if (!response.isCommitted()) {
        response.writes(isNarrow ? utf8(text) : (long) BYTES_PER_CHAR * text.length());
      }
    }

    private static long utf8(CharSequence text) {
      long bytes = 0;
      for (int i = 0; i < text.length(); i++) {
        char each = text.charAt(i);
        if (each < 0x80) {
          bytes++;
        } else if (each < 0x800 || Character.isSurrogate(each)) { // Two of those are one of four.
          bytes += 2;
        } else {
          bytes += 3;
        }
      }
      return bytes;
    }

    @Override
    public void write(int value) throws IOException {
      writes(String.valueOf((char) value));
      out.write(value);
    }

    @Override
    public void write(char[] value, int offset, int length) throws IOException {
      writes(CharBuffer.wrap(value, offset, length));
      out.write(value, offset, length);
    }

    @Override
    public void write(String value, int offset, int length) throws IOException {
      writes(CharBuffer.wrap(value, offset, offset + length));
      out.write(value, offset, length);
    }

    @Override
    public void flush() throws IOException {
      response.commits();
      out.flush();
    }

    @Override
    public void close() throws IOException {
      response.commits();
      out.close();
    }
  }
}
