public import Bluetooth
public import LunaProtocol

/// Who makes control packages for one's own trackers: `LunaOwner`, for `LunaBuzzer` and others.
public protocol PackageProvider: Sendable {
  /// Packages that anyone can deliver, one for each period of a time, with one counter: one of them
  /// is executed (PROTOCOL.md, 12.1).
  ///
  /// - Parameters:
  ///   - argument: seconds for `buzzStart` and `blink` (0 to 60), else 0.
  ///   - start: from when they are good.
  ///   - duration: for how long.
  func deferredPackages(
    _ command: ControlCommand, argument: UInt16, for device: DeviceUUID, from start: Timestamp,
    lasting duration: Duration
  ) async throws -> [ControlPackage]

  /// A package for the connection on which a challenge was read.
  ///
  /// - Parameter time: the owner's time, which `setClock` sets.
  func interactivePackage(
    _ command: ControlCommand, argument: UInt16, for device: DeviceUUID,
    challenge: ControlChallenge, at time: Timestamp
  ) async throws -> ControlPackage
}
