import Diagnosis
import LunaJSON
import Synchronization

/// Tells the log that a storage fails, once, and once that it works again, however many requests and
/// connections meet it.
public final class StorageOutage: Sendable {
  private struct State {
    /// What failed and did not work since.
    var operations: Set<String> = []
    var kinds: Set<StorageError.Kind> = []
    var began = ContinuousClock.now
    var failures: Int64 = 0
    /// Since when all has worked; an outage is over when that lasts.
    var works: ContinuousClock.Instant?
    /// When the last one was over.
    var ended: ContinuousClock.Instant?
  }

  private let log: BackendLog
  private let patience: Duration
  private let state = Mutex(State())

  /// - Parameters:
  ///   - log: where it is told.
  ///   - patience: how long it must work before that is told: a server that ends or starts answers
  ///     some and refuses others.
  public init(_ log: BackendLog, patience: Duration = .seconds(3)) {
    self.log = log
    self.patience = patience
  }

  /// The storage failed.
  ///
  /// - Parameters:
  ///   - operation: what was being done.
  ///   - start: when that was begun; what was begun before the storage worked again says nothing.
  func failed(_ error: StorageError, _ operation: String, since start: ContinuousClock.Instant) {
    let isNews = state.withLock { state in
      if let ended = state.ended, start < ended { return false }
      if state.kinds.isEmpty {
        state.began = .now
        state.failures = 0
      }
      state.works = nil
      state.failures += 1
      state.operations.insert(operation)
      return state.kinds.insert(error.kind).inserted
    }
    guard isNews else { return }
    log.line(
      error.kind == .overloaded ? .info : .error, error.description,
      ["kind": .string(error.kind.rawValue)])
  }

  /// Something that may have failed before worked.
  func worked(_ operation: String) {
    let isOver = state.withLock { state in
      guard state.operations.remove(operation) != nil, state.works == nil else { return false }
      // A disk that is full for one thing may have room for another; a server that answers is back.
      guard state.operations.isEmpty || state.kinds == [.unavailable] else { return false }
      state.works = .now
      return true
    }
    guard isOver else { return }
    if patience == .zero { return settle(at: .now) }
    Task {
      try? await Task.sleep(for: patience)
      settle(at: .now)
    }
  }

  /// Tells that the outage is over when it has worked for long enough.
  func settle(at now: ContinuousClock.Instant) {
    let ended: (failures: Int64, duration: Duration)? = state.withLock { state in
      guard let works = state.works, works.advanced(by: patience) <= now else { return nil }
      state.operations = []
      state.kinds = []
      state.works = nil
      state.ended = works
      return (state.failures, state.began.duration(to: works))
    }
    guard let ended else { return }
    log.line(
      .info, "the storage works again",
      [
        "failures": .integer(ended.failures),
        "seconds": .real((ended.duration / .seconds(1) * 1000).rounded() / 1000),
      ])
  }

  /// A notice of the storage that is no failure.
  func notice(_ text: String, _ level: BackendLog.Level) { log.line(level, text) }
}
