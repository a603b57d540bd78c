import Bluetooth
package import LunaBuzzer
package import LunaCore
import LunaOwner
package import LunaProtocol

extension Luna {
  /// Tells a tracker that somebody else shares to sound, with packages of its owner.
  ///
  /// - Parameters:
  ///   - local: the tracker as it is heard.
  ///   - device: which one it is, and what of it is shared: also for how long it sounds.
  ///   - command: `buzzStart`: nothing else is shared.
  ///   - limits: how long things may take, each time; nil for those of the settings.
  ///   - progress: gets how far it has come.
  ///   - waits: gets for how long it waits, where somebody else has used the package of this moment.
  /// - Returns: what the tracker answered; only its owner can verify it.
  /// - Throws: `OwnerError` where it cannot be rung, `BuzzerError` where it was not.
  package func ring(
    _ local: LocalDevice, sharedAs device: Device, _ command: ControlCommand = .buzzStart,
    limits: BuzzerLimits? = nil, progress: @escaping LunaBuzzer.ProgressHandler = { _ in },
    waits: @Sendable (Duration) -> Void = { _ in }
  ) async throws -> ControlReceipt {
    let owner = owner()
    return try await buzzer().ring(
      local, spacing: device.shared?.rights.ring?.spacing ?? 1024,
      packages: { time in
        try await owner.ringPackages(
          command, for: device.uuid, showing: local.snapshot.period, from: time)
      }, limits: limits, progress: progress, waits: waits)
  }
}
