package dev.tempest.wire;

/** The versions of the wire that a process speaks: all from the lowest to the highest. */
public record Versions(int lowest, int highest) {
  /** What this code speaks. */
  public static final Versions SPOKEN = new Versions(FrameCodec.VERSION, FrameCodec.VERSION);

  /** Whether both speak some version. */
  public boolean meets(Versions others) {
    return lowest <= others.highest && others.lowest <= highest;
  }

  /** For people, such as {@code version 2} or {@code versions 2 to 4}. */
  @Override
  public String toString() {
    return lowest == highest ? "version " + lowest : "versions " + lowest + " to " + highest;
  }
}
