import Bluetooth
import LunaCore

/// What is known of the queue.
struct QueueFacts: Sendable {
  /// The queue; nil where there is none.
  var status: QueueStatus?
  /// Why it cannot be read.
  var error: DeviceStoreError?
  var now: Timestamp
}
