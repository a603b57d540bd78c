import Bluetooth
import LunaCore
import LunaLocal
import Synchronization

/// Listens for one tracker: follows the owner's devices, and keeps the last advertisement of an
/// address.
final class NearEar: Sendable {
  private struct State {
    var report: AdvertisingReport?
    /// How often the tracker was heard.
    var count = 0
    var wasTold = 0
  }

  let target: NearTarget
  private let following: LocalFollowing
  private let state = Mutex(State())

  init(_ target: NearTarget, _ following: LocalFollowing) {
    self.target = target
    self.following = following
  }

  /// Takes what the follower has taken.
  func receive(_ batch: [AdvertisingReport]) {
    guard let address = address else { return }
    // A scan response says nothing of connections.
    guard
      let report = batch.last(where: { $0.address == address && $0.isScanResponse != true })
    else { return }
    state.withLock { state in
      state.report = report
      state.count += 1
    }
  }

  /// The address that the tracker has now.
  private var address: BluetoothAddress? {
    switch target {
    case .address(let address): address
    case .device: device?.snapshot.address
    }
  }

  /// The tracker as it is followed; nil when it is none that can be, or was not heard yet.
  var device: LocalDevice? {
    following.devices.first { device in
      switch target {
      case .device(let wanted): device.uuid == wanted.uuid
      case .address(let address): device.snapshot.address == address
      }
    }
  }

  /// The last advertisement of the tracker.
  var lastReport: AdvertisingReport? { state.withLock(\.report) }

  /// Waits a little for the next advertisement of the tracker.
  func next() async -> AdvertisingReport? {
    for _ in 0..<4 {
      let report: AdvertisingReport? = state.withLock { state in
        guard state.count != state.wasTold else { return nil }
        state.wasTold = state.count
        return state.report
      }
      if let report { return report }
      guard (try? await Task.sleep(for: .milliseconds(50))) != nil else { return nil }
    }
    return nil
  }

  /// Waits until the tracker is one that is followed.
  ///
  /// - Returns: nil when it was not heard in time, or something heard at the address is none.
  func followed(within limit: Duration) async -> LocalDevice? {
    var end = ContinuousClock.now + limit
    var wasHeard = false
    while ContinuousClock.now < end, !Task.isCancelled {
      if let device { return device }
      // The iBeacon frames of a tracker last 2 s; then it would have shown what it is.
      if !wasHeard, lastReport != nil {
        wasHeard = true
        end = min(end, .now + .seconds(5))
      }
      try? await Task.sleep(for: .milliseconds(50))
    }
    return nil
  }
}
