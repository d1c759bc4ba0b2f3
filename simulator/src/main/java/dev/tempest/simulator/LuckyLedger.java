package dev.tempest.simulator;

import dev.tempest.state.State;
import java.util.Map;

/** A ledger that draws a number from its process with each update, keeps it and returns it. */
class LuckyLedger extends LedgerService {
  private final Luck process;
  final Map<Long, Long> luck;

  LuckyLedger(State state, Luck process) {
    super(state);
    this.process = process;
    this.luck = state.map(Luck.KEPT, Long.class, Long.class);
  }

  private long draw(long tag) {
    long drawn = process.draw(tag);
    luck.put(tag, drawn);
    return drawn;
  }

  @Override
  public long append(String key, long tag) {
    super.append(key, tag);
    return draw(tag);
  }

  @Override
  public long move(String from, String to, long tag) {
    super.move(from, to, tag);
    return draw(tag);
  }

  @Override
  public long add(String key, long amount, long tag) {
    super.add(key, amount, tag);
    return draw(tag);
  }

  @Override
  public long spend(String key, long tag) {
    super.spend(key, tag);
    return draw(tag);
  }

  @Override
  public boolean toggle(String item, long tag) {
    super.toggle(item, tag);
    return draw(tag) % 2 == 0;
  }

  @Override
  public long line(int place, long tag) {
    super.line(place, tag);
    return draw(tag);
  }

  @Override
  public long vote(String item, long amount, long tag) {
    super.vote(item, amount, tag);
    return draw(tag);
  }
}
