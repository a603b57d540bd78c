/// A slot that a client asks a server of ours for.
package struct SlotOrder: Hashable, Sendable {
  /// Its number in the session, from 1.
  package let number: Int
  /// What it carries.
  package let kind: SlotKind
  /// Which way.
  package let direction: SlotDirection
  /// How many bytes at most.
  package let bytes: Int

  /// An order.
  package init(_ number: Int, _ kind: SlotKind, _ direction: SlotDirection, bytes: Int) {
    self.number = number
    self.kind = kind
    self.direction = direction
    self.bytes = bytes
  }
}
