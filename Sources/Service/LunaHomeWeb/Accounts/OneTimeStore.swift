import Bluetooth
import Synchronization

/// What is good once, and for some minutes, by names that nobody can guess.
final class OneTimeStore<Value: Sendable>: Sendable {
  private struct Entry {
    let value: Value
    let until: Timestamp
  }

  /// Beyond so many the oldest are good no more: whoever asks for many takes no memory.
  private let most = 1_000
  private let patience: Duration
  private let entries = Mutex<[String: Entry]>([:])

  /// - Parameter patience: for how long they are good.
  init(patience: Duration) { self.patience = patience }

  func put(_ value: Value, under name: String, at time: Timestamp) {
    entries.withLock { entries in
      if entries.count >= most {
        entries = entries.filter { time < $0.value.until }
        let oldest = entries.min { $0.value.until < $1.value.until }?.key
        if entries.count >= most, let oldest { entries[oldest] = nil }
      }
      entries[name] = Entry(value: value, until: time.advanced(by: patience))
    }
  }

  /// Uses it up; nil where there is none, or it came too late.
  func take(_ name: String, at time: Timestamp) -> Value? {
    entries.withLock { entries in
      guard let entry = entries.removeValue(forKey: name), time < entry.until else { return nil }
      return entry.value
    }
  }
}
