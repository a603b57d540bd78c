/// What a connection of a slot has otherwise than usual.
struct SlotChange {
  /// What is offered to be spoken (ALPN); nil for nothing.
  var speaking: String? = HostPlace.spoken
  /// Whether TLS 1.2 is the newest version that is offered.
  var isOlder = false
  /// The port of the server; nil for that of the side channel.
  var port: UInt16?
}
