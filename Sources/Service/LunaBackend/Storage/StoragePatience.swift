import Synchronization

/// How long a request waits for its storage, all in all: whoever sent it hears of it in time that the storage does
/// not answer. What a request has begun, and goes on when it is answered, waits as long as it takes.
final class StoragePatience: Sendable {
  /// Who is told nothing for longer, asks again.
  static let request = Duration.seconds(8)

  /// That of the request that is being answered.
  @TaskLocal static var current: StoragePatience?

  private let left: Mutex<Duration?>

  private init(_ limit: Duration) { left = Mutex(limit) }

  /// Does something that waits for a storage for so long.
  static func within<Output: Sendable>(
    _ limit: Duration, _ body: @Sendable () async -> Output
  ) async -> Output {
    let patience = StoragePatience(limit)
    defer { patience.left.withLock { $0 = nil } }
    return await $current.withValue(patience) { await body() }
  }

  /// Until when it waits for what begins now; nil when nothing says.
  var end: ContinuousClock.Instant? { left.withLock { $0 }.map { ContinuousClock.now + $0 } }

  /// It has waited since then.
  func spend(since start: ContinuousClock.Instant) {
    let time = start.duration(to: .now)
    left.withLock { $0 = $0.map { $0 - time } }
  }
}

extension ContinuousClock.Instant? {
  /// Whether nobody waits any more.
  func isOver(at moment: ContinuousClock.Instant = .now) -> Bool { map { $0 <= moment } ?? false }
}
