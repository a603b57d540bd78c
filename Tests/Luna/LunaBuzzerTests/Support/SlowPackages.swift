import Bluetooth
import LunaCore
import LunaOwner
import LunaProtocol
import LunaTesting

/// An owner who makes no package that silences a tracker before who asked for it has enough.
final class SlowPackages: PackageProvider {
  let isAsked = Watched(false)
  private let owner: LunaOwner

  init(_ owner: LunaOwner) { self.owner = owner }

  func deferredPackages(
    _ command: ControlCommand, argument: UInt16, for device: DeviceUUID, from start: Timestamp,
    lasting duration: Duration
  ) async throws -> [ControlPackage] {
    try await owner.deferredPackages(
      command, argument: argument, for: device, from: start, lasting: duration)
  }

  func interactivePackage(
    _ command: ControlCommand, argument: UInt16, for device: DeviceUUID,
    challenge: ControlChallenge, at time: Timestamp
  ) async throws -> ControlPackage {
    if command == .buzzStop {
      isAsked.withLock { $0 = true }
      try await Watched(false).until { $0 }
    }
    return try await owner.interactivePackage(
      command, argument: argument, for: device, challenge: challenge, at: time)
  }
}
