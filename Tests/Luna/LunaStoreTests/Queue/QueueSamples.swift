import Bluetooth
import LunaCore
import LunaProtocol
import LunaStore
import LunaTesting

extension Samples {
  /// 2026-11-21T10:00:00Z
  static let now = Timestamp(microseconds: 1_795_255_200_000_000)

  /// An event that can be told from others by its number.
  static func event(_ number: UInt64) -> TrackerEvent {
    var location = [UInt8](repeating: 1, count: 61)
    for index in 0..<8 { location[53 + index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
    return TrackerEvent(
      heid: HEID(high: 5, low: number), encodedLocation: location, esf: ESF(value: 0xABCDEF),
      day: Day(now))
  }

  static func number(_ event: TrackerEvent) -> UInt64 { event.heid.low }

  static func confirmation(_ id: String) -> CommandConfirmation {
    CommandConfirmation(
      requestID: id, heid: HEID(high: 1, low: 2), outcome: .done,
      receipt: [UInt8](repeating: 9, count: 17))
  }
}
