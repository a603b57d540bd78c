public import Bluetooth
import LunaProtocol

/// The UTC date of an event's collection: all of its time that a backend can read, and by which it
/// files the event (PROTOCOL.md, 9.3).
public struct EventDay: Hashable, Comparable, Sendable {
  /// Days since 1970-01-01.
  public let number: Int32

  /// A day from the count of days since 1970-01-01.
  public init(number: Int32) { self.number = number }

  /// The day of a time.
  public init(_ time: Timestamp) {
    let (quotient, remainder) = time.unixMilliseconds.quotientAndRemainder(
      dividingBy: EventDay.milliseconds)
    number = Int32(clamping: remainder < 0 ? quotient - 1 : quotient)
  }

  /// Reads `2026-11-21`.
  ///
  /// - Returns: nil for any other form, and for dates that do not exist.
  public init?(_ text: String) {
    guard text.utf8.count == 10, let time = Timestamp(rfc3339: text + "T00:00:00Z") else {
      return nil
    }
    self.init(time)
  }

  private static let milliseconds: Int64 = 86_400_000

  /// When it begins.
  public var start: Timestamp {
    Timestamp(unixMilliseconds: Int64(number) * EventDay.milliseconds)
  }

  /// A day so many days later.
  public func advanced(by days: Int32) -> EventDay {
    let (sum, overflow) = number.addingReportingOverflow(days)
    return EventDay(number: overflow ? (days < 0 ? .min : .max) : sum)
  }

  /// Orders by time.
  public static func < (left: EventDay, right: EventDay) -> Bool { left.number < right.number }
}

extension EventDay: CustomStringConvertible {
  /// `2026-11-21`.
  public var description: String { ReportTime.day(of: start.unixMilliseconds) }
}
