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

  /// Makes the next package one that the tracker has not seen, after it has proven that it has seen a
  /// newer command: somebody with whom it is shared may have rung it (SHARING.md, 1).
  ///
  /// - Parameters:
  ///   - trackerTime: what the proof says of the tracker's clock, Unix s.
  ///   - time: the owner's time.
  /// - Returns: whether it is worth trying again.
  func prepareAgain(
    for device: DeviceUUID, trackerTime: UInt32, at time: Timestamp
  ) async throws -> Bool
}

extension PackageProvider {
  /// Cannot do anything about it.
  public func prepareAgain(
    for device: DeviceUUID, trackerTime: UInt32, at time: Timestamp
  ) async throws -> Bool { false }
}
