package dev.tempest.examples.petstore;

/**
 * What a customer bought.
 *
 * @param number the customer's 1st, 2nd, 3rd order
 * @param pet the pet's id
 * @param count how many
 * @param cents for all of them
 */
public record Order(int number, String pet, int count, long cents) {}
