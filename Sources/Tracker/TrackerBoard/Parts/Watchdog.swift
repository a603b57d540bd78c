/// When the watchdog is to be fed: rarely, since a tracker that sleeps is woken for it, and only by who has come round to
/// all that is due.
package struct Watchdog: Hashable, Sendable {
  /// It is fed at any wake-up, when it was not for so long, ms.
  package static let rest: Int64 = 10_000
  /// A board is woken to feed it after so long, ms: 60 times an hour at most.
  package static let interval: Int64 = 60_000
  /// A board that was not heard of for so long is reset, ms.
  package static let timeout: Int64 = 150_000

  private var fedAt: Int64?

  /// One that was not fed.
  package init() {}

  /// When ``tick(at:)`` has to be called.
  package var deadline: Int64? { fedAt.map { $0 + Watchdog.interval } }

  /// Time has passed.
  ///
  /// - Returns: whether to feed it now.
  package mutating func tick(at uptime: Int64) -> Bool {
    if let fedAt, uptime - fedAt < Watchdog.rest { return false }
    fedAt = uptime
    return true
  }
}
