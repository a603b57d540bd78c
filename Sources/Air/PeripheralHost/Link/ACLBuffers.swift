/// The room that a controller has for data on their way to the air.
package struct ACLBuffers: Hashable, Sendable {
  /// The most data in a packet, bytes.
  package var size = 27
  /// The packets that it keeps until they are sent.
  package var count = 1

  package init(size: Int = 27, count: Int = 1) {
    self.size = size
    self.count = count
  }
}
