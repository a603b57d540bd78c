/// Whether anybody could be heard.
struct ReceiverState: Hashable, Sendable, Codable {
  var isScanning = true
  /// By boot time, µs; nil before anybody was heard.
  var lastAlive: Int64?
  var isDead = true
}
