public import Bluetooth
public import LunaCore

/// Listens for one tracker, beside a ``LunaLocal`` that follows the owner's devices: for who wants to
/// do something with it once it is near.
public final class TrackerEar: Sendable {
  /// The tracker that is listened for.
  public let target: TrackerTarget
  private let local: LunaLocal
  private let last = LastReport()

  /// An ear that does not listen yet.
  ///
  /// - Parameter local: what follows the owner's devices, among them the one that is meant.
  public init(_ target: TrackerTarget, _ local: LunaLocal) {
    self.target = target
    self.local = local
  }

  /// Listens while something is done, and ends the source then.
  ///
  /// - Parameter source: what is heard, not started.
  public func listen<Result: Sendable>(
    to source: any AdvertisementSource, _ work: () async throws -> Result
  ) async throws -> Result {
    try await source.start()
    local.tell(last.bell)
    let listening = Task {
      // Why it ends is told by the scan of the same radio.
      while let batch = try? await source.nextBatch() { receive(batch) }
    }
    let result: Swift.Result<Result, any Error>
    do {
      result = .success(try await work())
    } catch {
      result = .failure(error)
    }
    await source.stop()
    await listening.value
    return try result.get()
  }

  private func receive(_ batch: [AdvertisingReport]) {
    guard let address = address else { return }
    // A scan response says nothing of connections.
    guard
      let report = batch.last(where: { $0.address == address && $0.isScanResponse != true })
    else { return }
    last.take(report)
  }

  /// The address that the tracker has now.
  private var address: BluetoothAddress? {
    switch target {
    case .address(let address): address
    case .device: device?.snapshot.address
    }
  }

  /// The tracker as it is followed; nil when it is none that can be, or was not heard yet.
  public var device: LocalDevice? {
    local.devices.first { device in
      switch target {
      case .device(let wanted): device.uuid == wanted.uuid
      case .address(let address): device.snapshot.address == address
      }
    }
  }

  /// The last advertisement of the tracker.
  public var lastReport: AdvertisingReport? { last.report }

  /// Waits for the next advertisement of the tracker, at most for a time.
  public func next(within limit: Duration) async -> AdvertisingReport? {
    await last.next(within: limit)
  }

  /// Waits until the tracker is one that is followed.
  ///
  /// - Returns: nil when it was not heard in time, or something heard at the address is none.
  public func followed(within limit: Duration) async -> LocalDevice? {
    var end = ContinuousClock.now + limit
    var wasHeard = false
    while ContinuousClock.now < end, !Task.isCancelled {
      if let device { return device }
      // The iBeacon frames of a tracker last 2 s; then it would have shown what it is.
      if !wasHeard, lastReport != nil {
        wasHeard = true
        end = min(end, .now + .seconds(5))
      }
      await last.bell.wait(for: end - .now)
    }
    return nil
  }
}
