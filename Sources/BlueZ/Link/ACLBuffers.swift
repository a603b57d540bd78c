/// The room that a controller has for data on their way to the air.
struct ACLBuffers: Hashable, Sendable {
  /// The most data in a packet, bytes.
  var size = 27
  /// The packets that it keeps until they are sent.
  var count = 1
}
