import SQLite
import Synchronization

/// Whether the file of a storage is still where it was opened, and as this process has left it. The writer
/// finds out with every commit, and readers look once a second; from then on nobody reads from it either, as
/// what it has is no longer what is there.
final class SQLitePlace: Sendable {
  /// How long readers trust what they saw: a token that was revoked in a file which came in the place of
  /// this one opens nothing for longer.
  private static let trust: Duration = .seconds(1)

  private struct State {
    var loss: StorageError?
    var seen: ContinuousClock.Instant?
  }

  /// The place.
  let file: DatabasePlace
  /// Looks whether others write into it.
  let watch: LogWatch
  /// Whether this process serves it. Only that one moves the log into the file.
  let isServing: Bool
  private let now: @Sendable () -> ContinuousClock.Instant
  private let state = Mutex(State())

  init(
    _ file: DatabasePlace, isServing: Bool = true,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
  ) {
    self.file = file
    self.isServing = isServing
    self.now = now
    watch = LogWatch(file, now: now)
  }

  /// What happened to the file.
  var loss: StorageError? { state.withLock { $0.loss } }

  /// Takes note of a failure; of what happened to the file the first one stays. A file that is damaged in
  /// one place is not read in others, either: nobody knows what else is wrong.
  func note(_ failure: StorageError) {
    guard failure.kind == .replaced || failure.kind == .damaged else { return }
    state.withLock { if $0.loss == nil { $0.loss = failure } }
  }

  /// To be called before something is read.
  ///
  /// - Throws: what happened to the file.
  func check(_ connection: SQLiteConnection) throws(StorageError) {
    let now = now()
    let (loss, isDue) = state.withLock { state in
      let isDue = state.seen.map { now - $0 >= SQLitePlace.trust } ?? true
      if isDue { state.seen = now }
      return (state.loss, isDue)
    }
    if let loss { throw loss }
    guard isDue else { return }
    do throws(StorageError) {
      try connection.database.checkPlace()
    } catch {
      note(error)
      throw error
    }
  }
}
