package dev.tempest.wire;

/**
 * The numbers that stand for the kinds of message on the wire. A number is given once: that of a
 * retired message stays reserved for ever. 0 is no type, so that zeros are refused.
 */
final class MessageType {
  // 0x01..0x1F: requests.
  static final int UPDATE = 0x01;
  static final int READ = 0x02;
  // 0x03 was Reply, before replies had a load index.
  static final int REPLY = 0x04;
  static final int BEACON = 0x05;
  static final int BEACON_ANSWER = 0x06;
  static final int SEEN_READ = 0x07;
  static final int SEEN_REPLY = 0x08;

  // 0x20..0x5F: between replicas.
  // 0x20 was Digest, before it spoke of the state.
  static final int HAVE = 0x21;
  static final int WANT = 0x22;
  // 0x23 was Repair and 0x26 StateTransfer, before entries could be changes; 0x28 was
  // StateTransfer,
  // before states travelled in pieces.
  static final int STATE_REQUEST = 0x24;
  static final int STATE_UNAVAILABLE = 0x25;
  static final int REPAIR = 0x27;
  static final int DIGEST = 0x29;
  static final int STATE_SUMMARY = 0x2A;
  static final int ACK_REQUEST = 0x2B;
  static final int ACK = 0x2C;
  static final int STATE_OFFER = 0x2D;
  static final int PIECE_REQUEST = 0x2E;
  static final int STATE_PIECE = 0x2F;
  static final int PIECE_UNAVAILABLE = 0x30;

  // 0x31..0x54: between replicas whose order is by consensus.
  static final int PRE_VOTE = 0x31;
  static final int PRE_VOTED = 0x32;
  static final int PREPARE = 0x33;
  static final int PROMISE = 0x34;
  static final int REJECTED = 0x35;
  static final int FETCH = 0x36;
  static final int FETCHED = 0x37;
  static final int SYNC = 0x38;
  static final int SYNCED = 0x39;
  static final int ACCEPT = 0x3A;
  static final int ACCEPTED = 0x3B;
  static final int FOUND = 0x3C;
  static final int JOINS = 0x3D;
  static final int FOUNDED = 0x3E;
  static final int LEAVES = 0x3F;
  static final int LENGTH_REQUEST = 0x40;
  static final int LENGTH = 0x41;
  static final int STATE_WISH = 0x42;
  static final int STATE_PART = 0x43;
  static final int OFFER = 0x44;
  static final int CERTIFIED = 0x45;
  static final int LEASE_REQUEST = 0x46;
  static final int LEASE = 0x47;
  static final int COMES_BACK = 0x48;
  static final int WELCOME = 0x49;
  static final int STORES = 0x4A;
  static final int MISSES = 0x4B;
  static final int TELL = 0x4C;
  static final int TOLD = 0x4D;
  static final int LEASE_WISH = 0x4E;
  static final int READ_LEASE = 0x4F;
  static final int PERIOD = 0x50;
  static final int VOTE = 0x51;
  static final int CLOSE = 0x52;
  static final int CLOSED = 0x53;
  static final int VOTED_PROMISE = 0x54;

  // 0x60..0x7F: between members.
  // 0x60 was Probe and 0x61 Roster, before records said which list of hosted services is the
  // newest.
  static final int PROBE = 0x62;
  static final int ROSTER = 0x63;
  static final int HOSTING_REQUEST = 0x64;
  static final int HOSTING = 0x65;

  // 0x80..0x8F: between any two endpoints.
  static final int ADDRESS_CHALLENGE = 0x80;
  static final int ADDRESS_PROOF = 0x81;

  // 0xE0..0xFF: tools.
  static final int STATUS_REQUEST = 0xE0;
  // 0xE1 was Status, before replicas counted how often they had diverged.
  static final int DESCRIBE_REQUEST = 0xE2;
  static final int DESCRIPTION = 0xE3;
  // 0xE4 was Status, before it told of members and collections.
  static final int STATUS = 0xE5;
  static final int CONTENTS_REQUEST = 0xE6;
  static final int CONTENTS = 0xE7;

  private MessageType() {}
}
