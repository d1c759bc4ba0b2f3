package dev.tempest.protocol.checkpoint;

import dev.tempest.protocol.order.Restored;
import dev.tempest.values.encoding.ByteReader;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.values.encoding.MalformedException;
import dev.tempest.wire.Ballot;
import dev.tempest.wire.FrameCodec;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.Message;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The log of one replica on a disk: what it has promised and accepted, in files {@code cart.3.log}
 * with rising numbers, of {@linkplain Block blocks}. What is written together is there as a whole
 * or not at all.
 *
 * <p>Guarantees that what was written before {@link #sync} returned is read again, or that reading
 * says that it is damaged: only of what was synced last nobody can tell, if the machine lost its
 * power right after, whether it was damaged later or never there.
 *
 * <p>Not thread-safe.
 */
public final class LogFiles implements AutoCloseable {
  private static final String WRITTEN = ".log";
  private static final String WRITING = ".log.writing";
  private static final String DAMAGED = ".damaged";
  private static final int FORMAT = 3;

  /** So long a file usually gets. */
  public static final int FILE_BYTES = 16 << 20;

  /** With more files a checkpoint is due: who comes back reads all of them. */
  private static final int FILES_MAX = 8;

  private final Disk disk;
  private final String cluster;
  private final String service;
  private final int fileBytesMax;
  private final String life;
  private final ByteWriter writer = new ByteWriter(Integer.MAX_VALUE);

  /** By the numbers of the files, how long the log was when each was begun. */
  private final TreeMap<Long, Long> files = new TreeMap<>();

  private long replica;

  /** In which life of the machine it may count before it is synced; empty if it does not. */
  private String relies = "";

  private Disk.@Nullable Output output;
  private int blocks;
  private long fileBytes;

  // What was read and written has come to this.

  private Ballot promised = Ballot.NONE;
  private Ballot accepted = Ballot.NONE;
  private long length;
  private long committed;

  /**
   * The log of a replica of a service of a cluster.
   *
   * @param fileBytesMax when another file is begun: what is in a checkpoint goes file by file
   */
  public LogFiles(Disk disk, String cluster, String service, int fileBytesMax) {
    this.disk = disk;
    this.cluster = cluster;
    this.service = service;
    this.fileBytesMax = fileBytesMax;
    this.life = disk.life();
  }

  /**
   * What was found.
   *
   * @param replica which one has written it, or was about to; 0 if there is nothing
   * @param damaged what is wrong with it; empty if it is whole. Then nobody knows what the replica
   *     had promised, and it must not go on as that
   * @param wasLost whether an earlier log was {@link #setAside}, and nothing was promised since
   */
  public record Found(
      long replica, List<LogMessage.Stored> records, String damaged, boolean wasLost) {}

  /** How a file begins. */
  private record Begin(
      String cluster, String service, long replica, long length, int blocksBefore, String relies) {
    void write(ByteWriter to) {
      to.writeInt(FORMAT);
      to.writeString(cluster);
      to.writeString(service);
      to.writeLong(replica);
      to.writeVarint(length);
      to.writeVarint(blocksBefore);
      to.writeString(relies);
    }

    static Begin read(ByteReader from, String file) {
      int format = from.readInt();
      if (format != FORMAT) {
        throw new ForeignCheckpointException(
            "%s is of format %d, and this version of Tempest reads format %d only"
                .formatted(file, format, FORMAT));
      }
      return new Begin(
          from.readString(),
          from.readString(),
          from.readLong(),
          from.readVarint(),
          from.readVarint(Integer.MAX_VALUE),
          from.readString());
    }
  }

  /**
   * Reads all that was written.
   *
   * @param checkpoint the entries that are in it are left out, if the same replica has written it;
   *     null if there is none
   * @throws ForeignCheckpointException if it is not for this process
   * @throws IOException if it cannot be told what there is, or read what is there
   */
  public Found read(@Nullable Restored checkpoint) throws IOException {
    for (long number : numbers(WRITING)) {
      disk.delete(name(number, WRITING)); // Of a process that ended while it began it.
    }
    List<LogMessage.Stored> records = new ArrayList<>();
    String wrong = "";
    List<Long> aside = numbers(WRITTEN + DAMAGED);
    try {
      for (long number : withoutGap(numbers(WRITTEN))) {
        if (!aside.isEmpty() && number <= aside.getLast() + 1) { // What begins anew is behind it.
          throw new DamagedFileException("a part of the log was set aside, and the rest was not");
        }
        readFile(number, checkpoint, records);
      }
    } catch (DamagedFileException | MalformedException damaged) {
      wrong = String.valueOf(damaged.getMessage());
    }
    if (!relies.isEmpty() && !relies.equals(life)) {
      wrong = "the machine has started again since, and may not have had all of it on its disk";
    }
    boolean wasLost = records.isEmpty() && !aside.isEmpty();
    return new Found(replica, wrong.isEmpty() ? records : List.of(), wrong, wasLost);
  }

  /** Whether there is any, whole or not, or one that was {@link #setAside}. */
  public boolean isThere() throws IOException {
    return !numbers(WRITTEN).isEmpty() || !numbers(WRITTEN + DAMAGED).isEmpty();
  }

  /** The last of them. If some between are deleted, so are those before: a crash undid that. */
  private static List<Long> withoutGap(List<Long> numbers) {
    int first = numbers.size() - 1;
    while (first > 0 && numbers.get(first - 1) == numbers.get(first) - 1) {
      first--;
    }
    return numbers.subList(Math.max(0, first), numbers.size());
  }

  private void readFile(long number, @Nullable Restored checkpoint, List<LogMessage.Stored> records)
      throws IOException {
    String file = disk + "/" + name(number, WRITTEN);
    byte[] bytes = contents(name(number, WRITTEN));
    Block first = Block.read(bytes, 0, number);
    if (first == null) {
      throw new DamagedFileException(file + " does not begin as it was written");
    }
    Begin begin = Begin.read(first.contents().reader(), file);
    if (!begin.cluster().equals(cluster) || !begin.service().equals(service)) {
      throw new ForeignCheckpointException(
          "%s is of %s of the cluster '%s', not of %s of the cluster '%s'"
              .formatted(file, begin.service(), begin.cluster(), service, cluster));
    }
    if (!files.isEmpty() && (begin.blocksBefore() != blocks || begin.replica() != replica)) {
      throw new DamagedFileException("what was written before %s is not there".formatted(file));
    }
    replica = begin.replica();
    relies = begin.relies();
    files.put(number, begin.length());
    long from =
        checkpoint != null && checkpoint.replica() == replica ? (Long) checkpoint.mark() : 0;
    int at = first.sizeBytes();
    blocks = 1;
    for (Block next = Block.read(bytes, at, number);
        next != null && next.number() == blocks;
        next = Block.read(bytes, at, number)) {
      take(next.contents(), from, records);
      at += next.sizeBytes();
      blocks++;
    }
    if (Block.isBehind(bytes, at, number, blocks, relies.isEmpty())) {
      throw new DamagedFileException("%s is damaged at byte %d".formatted(file, at));
    }
  }

  private byte[] contents(String name) throws IOException {
    ByteWriter all = new ByteWriter(Integer.MAX_VALUE);
    byte[] some = new byte[1 << 16];
    try (Disk.Input input = disk.open(name)) {
      for (int read = input.read(some, 0, some.length);
          read >= 0;
          read = input.read(some, 0, some.length)) {
        all.writeRaw(some, 0, read);
      }
    }
    return all.toBytes().toArray();
  }

  private void take(Bytes contents, long from, List<LogMessage.Stored> records) {
    if (contents.size() == 0) {
      return;
    }
    for (Message message : FrameCodec.read(contents.reader()).messages()) {
      if (!(message instanceof Message.OfLog(long of, long by, LogMessage.Stored stored))) {
        throw new MalformedException("something else than a log is in it");
      }
      follow(stored);
      boolean isOlder = stored instanceof LogMessage.Accept && length <= from;
      records.add(isOlder ? summary() : stored);
    }
  }

  /** By which ballot a log of this length was accepted. */
  private LogMessage.Accept summary() {
    return new LogMessage.Accept(accepted, length, List.of(), committed, false);
  }

  private void follow(LogMessage.Stored stored) {
    switch (stored) {
      case LogMessage.Prepare prepare -> promised = prepare.ballot();
      case LogMessage.Accept accept -> {
        accepted = accept.ballot();
        length = accept.from() + accept.entries().size();
        committed = accept.committed();
      }
    }
  }

  /** Puts what is damaged out of the way, the oldest first: it stays for people to look at. */
  public void setAside() throws IOException {
    for (long number : numbers(WRITTEN)) {
      disk.rename(name(number, WRITTEN), name(number, WRITTEN) + DAMAGED);
    }
    files.clear();
    relies = "";
    promised = Ballot.NONE;
    accepted = Ballot.NONE;
    length = 0;
    committed = 0;
  }

  /** Goes on in another file, as this replica. All before it is on the disk then. */
  public void begin(long as) throws IOException {
    begin(as, "");
  }

  private void begin(long as, String in) throws IOException {
    closeFile();
    syncLast();
    long number = lastNumber() + 1;
    Begin begin = new Begin(cluster, service, as, length, files.isEmpty() ? 0 : blocks, in);
    begin.write(writer);
    Bytes head = writer.toBytes();
    writer.reset();
    new Block(number, 0, head).write(writer);
    try (Disk.Output first = disk.create(name(number, WRITING))) {
      first.write(writer.array(), 0, writer.size());
      first.sync();
    }
    disk.rename(name(number, WRITING), name(number, WRITTEN));
    replica = as;
    relies = in;
    fileBytes = writer.size();
    writer.reset();
    blocks = 1;
    files.put(number, length);
    output = disk.append(name(number, WRITTEN));
    if (!promised.equals(Ballot.NONE)) { // What comes first may go.
      write(List.of(new LogMessage.Prepare(promised), summary()));
      sync();
    }
  }

  /** What was written or read of the last file need not be on the disk yet. */
  private void syncLast() throws IOException {
    if (files.isEmpty()) {
      return;
    }
    try (Disk.Output last = disk.append(name(files.lastKey(), WRITTEN))) {
      syncOrLose(last);
    }
  }

  private void syncOrLose(Disk.Output last) throws IOException {
    try {
      last.sync();
    } catch (IOException failed) {
      if (relies()) { // It counted without, and after a failure nobody can tell what is there.
        loseAll(failed);
      }
      throw failed;
    }
  }

  private void loseAll(IOException failed) {
    try {
      setAside();
    } catch (IOException also) {
      failed.addSuppressed(also);
    }
  }

  /** If a log was set aside, one is left out: it is behind a gap for all that a crash undeletes. */
  private long lastNumber() throws IOException {
    if (!files.isEmpty()) {
      return files.lastKey();
    }
    List<Long> aside = numbers(WRITTEN + DAMAGED);
    return aside.isEmpty() ? 0 : aside.getLast() + 1;
  }

  /**
   * Whether what is written from now on is to count before it is synced, in this life of the
   * machine. If that has changed, all that was written before is synced first.
   *
   * @return whether it does; never if nobody can tell when the machine starts again
   */
  public boolean rely(boolean onMachine) throws IOException {
    String in = onMachine ? life : "";
    if (!in.equals(relies)) {
      begin(replica, in);
    }
    return !in.isEmpty();
  }

  /** Whether what was written may count though it is not synced. */
  public boolean relies() {
    return !relies.isEmpty();
  }

  /** Adds what belongs together; it is there once {@link #sync} has returned. */
  public void write(List<LogMessage.Stored> records) throws IOException {
    if (fileBytes > fileBytesMax) {
      begin(replica, relies);
    }
    FrameCodec.begin(writer, 0, 0);
    for (LogMessage.Stored record : records) {
      FrameCodec.add(writer, new Message.OfLog(0, replica, record));
      follow(record);
    }
    FrameCodec.end(writer);
    Bytes contents = writer.toBytes();
    writer.reset();
    add(contents);
  }

  private void add(Bytes contents) throws IOException {
    new Block(files.lastKey(), blocks, contents).write(writer);
    blocks++;
    fileBytes += writer.size();
    open().write(writer.array(), 0, writer.size());
    writer.reset();
  }

  private Disk.Output open() {
    Disk.Output open = output;
    if (open == null) {
      throw new IllegalStateException("no file is begun");
    }
    return open;
  }

  /**
   * Waits until all that was written is on the disk.
   *
   * @throws IOException if it may not be: then nothing can be written any more
   */
  public void sync() throws IOException {
    open().sync();
    add(Bytes.EMPTY); // Whoever finds this knows that what is before it was there.
  }

  /** Whether so much of it is in no checkpoint that another one is due. */
  public boolean isLong() {
    return files.size() > FILES_MAX;
  }

  /** What lies before a slot is in the checkpoints, all that there are. */
  public void dropBelow(long slot) {
    while (files.size() > 1
        && files.tailMap(files.firstKey(), false).firstEntry().getValue() <= slot) {
      try {
        disk.delete(name(files.firstKey(), WRITTEN));
      } catch (IOException later) {
        return; // With the next checkpoint.
      }
      files.remove(files.firstKey());
    }
  }

  /** The numbers of the files of this service that are called so, the lowest first. */
  private List<Long> numbers(String suffix) throws IOException {
    String prefix = service + ".";
    return disk.names().stream()
        .filter(name -> name.startsWith(prefix) && name.endsWith(suffix))
        .map(name -> name.substring(prefix.length(), name.length() - suffix.length()))
        .filter(number -> number.matches("[1-9][0-9]{0,17}"))
        .map(Long::valueOf)
        .sorted()
        .toList();
  }

  private String name(long number, String suffix) {
    return service + "." + number + suffix;
  }

  /** Says whose it is, and where. */
  @Override
  public String toString() {
    return "the log of %s in %s".formatted(service, disk);
  }

  /** Nothing is written any more; what counts is on the disk. */
  @Override
  public void close() throws IOException {
    if (output != null) {
      var unused = rely(false);
    }
    closeFile();
  }

  private void closeFile() throws IOException {
    Disk.Output open = output;
    output = null;
    if (open != null) {
      open.close();
    }
  }
}
