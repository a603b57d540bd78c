package import Bluetooth
package import LunaCore
package import LunaProtocol

extension LunaBuzzer {
  /// Rings a tracker that somebody else shares, with the package of this moment. Who else shares it may have used
  /// that one already: when the tracker says so, which nobody here can verify, it is tried once more with the next.
  ///
  /// - Parameters:
  ///   - spacing: the time between two rings, s (SHARING.md, 1).
  ///   - packages: gives the packages of a moment.
  ///   - limits: how long things may take, each time; nil for those of ``configuration``.
  ///   - progress: gets how far it has come.
  ///   - waits: gets for how long it waits until the next one.
  /// - Returns: what the tracker answered; only its owner can verify it.
  package func ring(
    _ device: LocalDevice, spacing: UInt32,
    packages: @Sendable (Timestamp) async throws -> [ControlPackage],
    limits: BuzzerLimits? = nil, progress: @escaping ProgressHandler = { _ in },
    waits: @Sendable (Duration) -> Void = { _ in }
  ) async throws -> ControlReceipt {
    let time = configuration.protocolTime(clock.now())
    do {
      return try await deliver(
        try await packages(time), to: device, limits: limits, progress: progress)
    } catch let error as BuzzerError where error.kind == .stale && !error.isVerified {
      let slot = Int64(max(1, spacing)) * 1000
      let now = configuration.protocolTime(clock.now())
      let pause = Duration.milliseconds(slot - now.unixMilliseconds % slot)
      waits(pause)
      try await clock.sleep(pause)
      let next = configuration.protocolTime(clock.now())
      return try await deliver(
        try await packages(next), to: device, limits: limits, progress: progress)
    }
  }
}
