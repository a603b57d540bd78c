import Bluetooth
import Synchronization
import TrackerMachine

/// A connection to a tracker of a virtual room, between the tracker that indicates and whoever waits
/// for it.
final class VirtualLink: Sendable {
  /// Indications that are kept of each characteristic.
  private static let valueLimit = 64

  private struct State {
    var values: [TrackerCharacteristic: [[UInt8]]] = [:]
    var end: GATTError.Kind?
    /// What somebody who waits for a value waits for.
    var sleeper: Task<Void, Never>?
  }

  private let state = Mutex(State())

  /// Keeps the values of a characteristic from now on.
  func subscribe(to characteristic: TrackerCharacteristic) {
    state.withLock { $0.values[characteristic] = $0.values[characteristic] ?? [] }
  }

  /// The tracker indicates; nobody hears it who has not subscribed.
  func indicate(_ characteristic: TrackerCharacteristic, _ value: [UInt8]) {
    state.withLock { state in
      guard state.end == nil, state.values[characteristic] != nil else { return }
      state.values[characteristic, default: []].append(value)
      let excess = state.values[characteristic, default: []].count - VirtualLink.valueLimit
      if excess > 0 { state.values[characteristic, default: []].removeFirst(excess) }
      state.sleeper?.cancel()
    }
  }

  /// The connection is gone; the first reason counts.
  func end(_ kind: GATTError.Kind) {
    state.withLock { state in
      if state.end == nil { state.end = kind }
      state.sleeper?.cancel()
    }
  }

  /// Why the connection is gone; nil while it is there.
  var ended: GATTError.Kind? { state.withLock { $0.end } }

  /// The next value that came.
  ///
  /// - Throws: how the connection ended, when it did.
  func take(_ characteristic: TrackerCharacteristic) throws(GATTError) -> [UInt8]? {
    try state.withLock { state throws(GATTError) in
      if state.values[characteristic]?.isEmpty == false {
        return state.values[characteristic, default: []].removeFirst()
      }
      if let end = state.end { throw .virtual(end, during: "indication") }
      return nil
    }
  }

  /// Waits until `sleep` returns, or a value may be there, or the connection ends.
  func wait(
    for characteristic: TrackerCharacteristic, _ sleep: @escaping @Sendable () async -> Void
  ) async {
    let sleeper = state.withLock { state in
      let isDue = state.end != nil || state.values[characteristic]?.isEmpty == false
      let sleeper = isDue ? nil : Task { await sleep() }
      state.sleeper = sleeper
      return sleeper
    }
    guard let sleeper else { return }
    await withTaskCancellationHandler {
      await sleeper.value
    } onCancel: {
      sleeper.cancel()
    }
  }
}

extension GATTError {
  /// What ended a connection to a tracker of a virtual room.
  static func `virtual`(_ kind: Kind, during operation: String) -> GATTError {
    GATTError(
      kind, during: operation,
      kind == .abortedLocally
        ? "the connection was ended here" : "the tracker ended the connection, or it broke")
  }
}
