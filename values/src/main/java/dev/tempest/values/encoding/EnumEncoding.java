package dev.tempest.values.encoding;

/** A constant by its name, so that constants may be added and change places. */
final class EnumEncoding<T> extends Encoding<T> {
  private final T[] constants;
  private final String[] names;

  EnumEncoding(Class<T> declared) {
    super(declared, Kind.TEXT);
    this.constants = declared.getEnumConstants();
    this.names = new String[constants.length];
    for (int i = 0; i < constants.length; i++) {
      names[i] = ((Enum<?>) constants[i]).name();
    }
  }

  @Override
  long mostBytes(T value, int depth) {
    return mostTextBytes(((Enum<?>) value).name());
  }

  @Override
  void writeContents(T value, ByteWriter writer, int depth) {
    writer.writeString(((Enum<?>) value).name());
  }

  @Override
  T readContents(ByteReader reader, int depth) {
    String name = reader.readString();
    for (int i = 0; i < names.length; i++) {
      if (names[i].equals(name)) {
        return constants[i];
      }
    }
    throw MalformedException.ofOtherCode(
        declared().getName() + " has no constant " + shortened(name));
  }

  @Override
  @SuppressWarnings("EnumOrdinal") // An index within this JVM; what is written is the name.
  int hash(T value, int depth) {
    return StableHash.of(((Enum<?>) value).name());
  }

  /** Bad bytes may hold a name of any length. */
  private static String shortened(String name) {
    return name.length() <= 64 ? name : name.substring(0, 64) + "...";
  }
}
