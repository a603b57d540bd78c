import Bluetooth
import Synchronization
import TrackerMachine

/// What waits to be told to trackers, in order: from radios and people on any thread.
final class TrackerInbox: Sendable {
  /// What happened, and to whom.
  enum Entry: Sendable {
    /// To the tracker of this name.
    case event(TrackerMachine.Event, String)
    /// On a link to the tracker of its number.
    case link(PeripheralEvent, PeripheralLink)
  }

  private struct State {
    var entries: [Entry] = []
    var isClosed = false
    /// How many waits there were, and the last one whose time is over.
    var waits = 0
    var expired = 0
    var reader: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())

  /// Puts an entry in.
  func put(_ entry: Entry) {
    wake { $0.entries.append(entry) }
  }

  /// Nobody waits any more.
  func close() {
    wake { $0.isClosed = true }
  }

  /// Whether it was closed.
  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// The next entry, if there is one.
  func next() -> Entry? {
    state.withLock { $0.entries.isEmpty ? nil : $0.entries.removeFirst() }
  }

  /// Waits for an entry, the end, or `limit`; for one reader at a time.
  func wait(_ limit: Duration) async {
    let wait = begin()
    let timer = Task {
      try? await Task.sleep(for: limit)
      if !Task.isCancelled { expire(wait) }
    }
    await end(wait)
    timer.cancel()
  }

  /// The number of a wait that begins.
  func begin() -> Int {
    state.withLock { state in
      state.waits += 1
      return state.waits
    }
  }

  /// The time of a wait is over, perhaps before anybody waits for it.
  func expire(_ wait: Int) {
    wake { $0.expired = max($0.expired, wait) }
  }

  /// Waits for an entry, the end, or the time of a wait.
  func end(_ wait: Int) async {
    await withCheckedContinuation { continuation in
      let isReady = state.withLock { state in
        if !state.entries.isEmpty || state.isClosed || state.expired >= wait { return true }
        state.reader = continuation
        return false
      }
      if isReady { continuation.resume() }
    }
  }

  private func wake(_ change: @Sendable (inout State) -> Void) {
    let reader = state.withLock { state in
      change(&state)
      defer { state.reader = nil }
      return state.reader
    }
    reader?.resume()
  }
}
