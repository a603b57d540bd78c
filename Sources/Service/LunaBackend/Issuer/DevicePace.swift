/// How often a program may ask whether its code was approved (RFC 8628, 3.5).
struct DevicePace: Hashable, Sendable {
  /// Seconds between two questions at first, and how many more there are for each one that comes early.
  static let step: Int64 = 5
  private static let longest: Int64 = 60

  /// Seconds from one question to the next.
  private(set) var pause: Int64
  /// When it was asked last, µs.
  private(set) var asked: Int64?

  init(pause: Int64 = DevicePace.step, asked: Int64? = nil) {
    // They may come from a damaged row.
    self.pause = max(DevicePace.step, min(pause, DevicePace.longest))
    self.asked = asked.map { max(0, $0) }
  }

  /// Notes a question.
  ///
  /// - Returns: false when it comes too early: the next one has to wait longer.
  mutating func ask(at now: Int64) -> Bool {
    defer { asked = now }
    // A clock that was set back makes nobody wait.
    guard let asked, now >= asked, now - asked < pause * 1_000_000 else { return true }
    pause = min(DevicePace.longest, pause + DevicePace.step)
    return false
  }
}
