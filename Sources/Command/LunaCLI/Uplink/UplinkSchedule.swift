import Bluetooth
import EventLoop
import Glibc
import LunaCore
import LunaFinder
import LunaStore

/// When a check may begin that nobody waits for: reports of trackers are first.
struct UplinkSchedule {
  /// How often it is looked, and how long.
  private static let pause = Duration.seconds(30)
  private static let patience = Duration.seconds(3_600)

  let state: StateDirectory

  /// Waits until no reports wait.
  ///
  /// - Returns: false where some still do after an hour.
  func wait(_ diagnostics: Diagnostics) async throws -> Bool {
    let end = ContinuousClock.now + UplinkSchedule.patience
    while try await waiting() > 0 {
      guard ContinuousClock.now < end else { return false }
      diagnostics.detail("luna: reports wait; looking again in half a minute")
      try await Task.sleep(for: UplinkSchedule.pause)
    }
    return true
  }

  /// Says that reports wait: while they are sent, what is measured varies.
  func note(_ diagnostics: Diagnostics) async throws {
    let count = try await waiting()
    guard count > 0 else { return }
    diagnostics.note(
      "luna: \(count) \(count == 1 ? "report waits" : "reports wait"), which shares the link with what is measured"
    )
  }

  /// How many reports wait in the queue of the finder, if there is one.
  private func waiting() async throws -> Int {
    let state = state
    return try await Blocking.run { () throws(DeviceStoreError) -> Int in
      try SQLiteEventQueue.status(
        in: state, fileName: LunaConfiguration().dataFilename, at: .now)?.waiting ?? 0
    }
  }
}
