import Bluetooth
import Synchronization

/// When gateways were last written down: once in a while is enough.
final class GatewayTouches: Sendable {
  /// What was written down of a gateway last.
  private struct Note {
    let microseconds: Int64
    let hasReport: Bool
  }

  /// Well below the time for which a gateway that has uploaded counts as online, µs (FLEET.md, 4).
  private static let pause: Int64 = 60_000_000
  private static let capacity = 65_536
  private let notes = Mutex<[String: Note]>([:])

  /// Whether an upload of a gateway is to be written down: the first one that tells something, and
  /// otherwise one in a minute.
  func isDue(_ gateway: String, hasReport: Bool, at time: Timestamp) -> Bool {
    notes.withLock { notes in
      if let last = notes[gateway], last.hasReport || !hasReport,
        abs(time.microseconds - last.microseconds) < GatewayTouches.pause
      {
        return false
      }
      if notes.count >= GatewayTouches.capacity { notes.removeAll() }
      notes[gateway] = Note(microseconds: time.microseconds, hasReport: hasReport)
      return true
    }
  }
}
