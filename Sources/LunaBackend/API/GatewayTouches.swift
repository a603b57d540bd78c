import Bluetooth
import Synchronization

/// When gateways were last written down: once in a while is enough.
final class GatewayTouches: Sendable {
  private static let pause: Int64 = 10_000_000
  private static let capacity = 65_536
  private let times = Mutex<[String: Int64]>([:])

  /// Whether an upload of a gateway is to be written down.
  func isDue(_ gateway: String, at time: Timestamp) -> Bool {
    times.withLock { times in
      if let last = times[gateway], abs(time.microseconds - last) < GatewayTouches.pause {
        return false
      }
      if times.count >= GatewayTouches.capacity { times.removeAll() }
      times[gateway] = time.microseconds
      return true
    }
  }
}
