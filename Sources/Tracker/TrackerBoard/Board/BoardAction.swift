/// What a board has to do, in this order.
package enum BoardAction: Hashable, Sendable {
  /// Send this to the controller; it begins with its H4 indicator.
  case send([UInt8])
  /// Switch the buzzer.
  case sound(Bool)
  /// Switch the light.
  case light(Bool)
  /// Write this to the console.
  case write([UInt8])
  /// Feed the watchdog.
  case feed
  /// Start again, as after a power cut. Nothing follows.
  case restart(BoardFault)
}
