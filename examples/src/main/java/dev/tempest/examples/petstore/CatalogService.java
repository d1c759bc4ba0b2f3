package dev.tempest.examples.petstore;

import dev.tempest.state.State;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The catalog: a map. */
public final class CatalogService implements Catalog {
  private final Map<String, Pet> pets;

  /** Nothing is for sale yet. */
  public CatalogService(State state) {
    this.pets = state.map("pets", String.class, Pet.class);
  }

  @Override
  public boolean put(Pet pet) {
    return pets.put(pet.id(), pet) != null;
  }

  @Override
  public @Nullable Pet pet(String id) {
    return pets.get(id);
  }
}
