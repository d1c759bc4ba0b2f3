package dev.tempest.sessions.servlet;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/** A response whose client is told something before its first byte goes out, in headers. */
final class SavingResponse extends HttpServletResponseWrapper {
  /** Of its buffer: Jetty does not gather a write that is larger. */
  private static final int LARGE_SHARE = 4;

  private static final String LENGTH = "Content-Length";

  /** What its client is told. */
  @FunctionalInterface
  interface Telling {
    /** The response may go out with the next byte, or with a later one: then it is called again. */
    void tell();

    /** The response was reset: its client will not learn what it was told. */
    default void untold() {}
  }

  private final Telling telling;
  private long bytes;
  private long contentLength = Long.MAX_VALUE;
  private @Nullable ServletOutputStream stream;
  private @Nullable PrintWriter writer;

  SavingResponse(HttpServletResponse response, Telling telling) {
    super(response);
    this.telling = telling;
  }

  /** What follows may send the response. */
  void commits() {
    if (!isCommitted()) {
      telling.tell();
    }
  }

  /** Before so many bytes more are written. */
  void writes(long more) {
    bytes += more;
    boolean isLarge = more >= getBufferSize() / LARGE_SHARE;
    if (isLarge || bytes >= getBufferSize() || bytes >= contentLength) {
      commits();
    }
  }

  /** As many bytes end the response, wherever it was said. */
  private void isToBe(long length) {
    contentLength = length;
    if (bytes >= length) {
      commits();
    }
  }

  private void isToBe(String header, String value) {
    if (header.equalsIgnoreCase(LENGTH)) {
      try {
        isToBe(Long.parseLong(value));
      } catch (NumberFormatException refused) {
        commits(); // The container says what it makes of that.
      }
    }
  }

  @Override
  public void setHeader(String name, @Nullable String value) {
    if (value != null) {
      isToBe(name, value);
    }
    super.setHeader(name, value);
  }

  @Override
  public void addHeader(String name, String value) {
    isToBe(name, value);
    super.addHeader(name, value);
  }

  @Override
  public void setIntHeader(String name, int value) {
    isToBe(name, String.valueOf(value));
    super.setIntHeader(name, value);
  }

  @Override
  public void addIntHeader(String name, int value) {
    isToBe(name, String.valueOf(value));
    super.addIntHeader(name, value);
  }

  @Override
  public ServletOutputStream getOutputStream() throws IOException {
    if (stream == null) {
      stream = new Stream(super.getOutputStream());
    }
    return stream;
  }

  @Override
  public PrintWriter getWriter() throws IOException {
    if (writer == null) {
      writer = new SavingWriter(this, super.getWriter());
    }
    return writer;
  }

  @Override
  public void setContentLength(int length) {
    isToBe(length);
    super.setContentLength(length);
  }

  @Override
  public void setContentLengthLong(long length) {
    isToBe(length);
    super.setContentLengthLong(length);
  }

  @Override
  public void sendError(int status) throws IOException {
    commits();
    super.sendError(status);
  }

  @Override
  public void sendError(int status, String message) throws IOException {
    commits();
    super.sendError(status, message);
  }

  @Override
  public void sendRedirect(String location, int status, boolean clearBuffer) throws IOException {
    commits();
    super.sendRedirect(location, status, clearBuffer);
  }

  @Override
  public void sendRedirect(String location) throws IOException {
    commits();
    super.sendRedirect(location);
  }

  @Override
  public void flushBuffer() throws IOException {
    commits();
    super.flushBuffer();
  }

  @Override
  public void reset() {
    super.reset();
    bytes = 0;
    contentLength = Long.MAX_VALUE;
    stream = null;
    writer = null;
    telling.untold();
  }

  @Override
  public void resetBuffer() {
    super.resetBuffer();
    bytes = 0;
  }

  private final class Stream extends ServletOutputStream {
    private final ServletOutputStream out;

    Stream(ServletOutputStream out) {
      this.out = out;
    }

    @Override
    public void write(int value) throws IOException {
      writes(1);
      out.write(value);
    }

    @Override
    public void write(byte[] value, int offset, int length) throws IOException {
      writes(length);
      out.write(value, offset, length);
    }

    @Override
    public void flush() throws IOException {
      commits();
      out.flush();
    }

    @Override
    public void close() throws IOException {
      commits();
      out.close();
    }

    @Override
    public boolean isReady() {
      return out.isReady();
    }

    @Override
    public void setWriteListener(WriteListener listener) {
      out.setWriteListener(listener);
    }
  }
}
