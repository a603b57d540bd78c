import Bluetooth

/// One of the advertisements that a controller sends.
struct AdvertisingSet: Sendable {
  /// What is to be sent; nil for nothing.
  var wanted: Advertisement?
  /// Whether the controller has to be told of ``wanted``.
  var isDue = false
  /// Whether the controller sends it, as far as this side knows: a connection ends it.
  var isOnAir = false
}
