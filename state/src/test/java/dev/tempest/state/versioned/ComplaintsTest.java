package dev.tempest.state.versioned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.values.encoding.Bytes;
import org.junit.jupiter.api.Test;

/** What a node says of others that declare a collection otherwise. */
final class ComplaintsTest {
  private final LocalHome here = new LocalHome();
  private final LocalHome elsewhere = new LocalHome();

  record Cart(int items) {}

  @Test
  void anotherKind() {
    here.state.map("tags", String.class, String.class);
    here.apply(newTag());
    assertThat(here.state.takeComplaint())
        .startsWith("'tags' is declared as a map here and as a set at another node: these are two");
    here.apply(newTag());
    assertThat(here.state.takeComplaint()).as("said once").isNull();
  }

  @Test
  void anotherKindThatWasHereFirst() {
    here.apply(newTag());
    assertThat(here.state.takeComplaint()).as("nothing is declared yet").isNull();
    here.state.map("tags", String.class, String.class);
    assertThat(here.state.takeComplaint())
        .startsWith("'tags' is declared as a map here and as a set");
  }

  @Test
  void anotherClassOfValues() {
    here.state.map("carts", String.class, String.class);
    here.apply(newCart());
    assertThat(here.state.takeComplaint())
        .startsWith(
            "another node wrote a "
                + Cart.class.getName()
                + " into map 'carts', which is declared with java.lang.String here: ")
        .contains("Declare the collection alike at every node");
    here.apply(newCart());
    assertThat(here.state.takeComplaint()).as("said once").isNull();
  }

  @Test
  void anotherClassOfValuesThatWereHereFirst() {
    here.apply(newCart());
    assertThat(here.state.takeComplaint()).as("nothing is declared yet").isNull();
    here.state.map("carts", String.class, Long.class);
    here.upgrade();
    assertThat(here.state.takeComplaint()).contains("which is declared with java.lang.Long here");
  }

  @Test
  void anotherClassOfKeys() {
    elsewhere.state.map("ids", Integer.class, String.class).put(1, "ada");
    here.state.map("ids", String.class, String.class);
    here.apply(elsewhere.written);
    assertThat(here.state.takeComplaint())
        .startsWith("another node wrote a java.lang.Integer into map 'ids'");
  }

  @Test
  void whatIsAlikeOrOfAnyClassIsNoneOfIt() {
    here.state.map("carts", String.class, Object.class);
    here.apply(newCart());
    here.state.map("carts", String.class, Object.class, Cart.class);
    here.upgrade();
    here.state.set("tags", String.class);
    here.apply(newTag());
    assertThat(here.state.takeComplaint()).isNull();
  }

  @Test
  void whatAServiceCannotRead() {
    VersionedState service = new VersionedState();
    service.map("tags", String.class, String.class);
    VersionedState other = new VersionedState();
    var tags = other.set("tags", String.class);
    VersionedAction action = other.begin(other.emptyVersion(), 0, 0);
    tags.add("new");
    Bytes bytes = WholeVersion.bytes(other, action.commit());

    assertThatThrownBy(() -> WholeVersion.read(service, bytes))
        .isInstanceOf(UnreadableStateException.class)
        .hasMessage("'tags' is declared as a map here, and is a set in the state");
  }

  private Bytes newTag() {
    elsewhere.state.set("tags", String.class).add("new");
    return elsewhere.written;
  }

  private Bytes newCart() {
    elsewhere.state.map("carts", String.class, Cart.class).put("ada", new Cart(1));
    return elsewhere.written;
  }
}
