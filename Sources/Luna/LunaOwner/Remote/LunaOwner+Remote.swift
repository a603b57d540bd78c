public import Bluetooth
public import LunaCore
public import LunaProtocol

extension LunaOwner {
  /// Leaves a command at the backend, with packages for the coming time (PROTOCOL.md, 12.1): a
  /// gateway that hears the tracker delivers one of them.
  ///
  /// - Parameters:
  ///   - argument: seconds for `buzzStart` and `blink` (0 to 60; 0 is 12), else 0.
  ///   - start: the time now.
  ///   - duration: for how long it is good.
  /// - Throws: ``OwnerError``, `BackendError`, `DeviceStoreError`.
  public func sendRemotely(
    _ command: ControlCommand, argument: UInt16, to device: Device, from start: Timestamp,
    lasting duration: Duration
  ) async throws -> RemoteCommand {
    guard let backend else { throw OwnerError.noBackend }
    let packages = try await deferredPackages(
      command, argument: argument, for: device.uuid, from: start, lasting: duration)
    let (seconds, attoseconds) = duration.components
    let expiresAt = Timestamp(
      microseconds: start.microseconds + seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
    let status = try await backend.submit(packages, expiresAt: expiresAt)
    return RemoteCommand(
      device: device.uuid, requestID: status.requestID, packages: packages, status: status)
  }

  /// Asks how far a command is, and verifies the tracker's answer when there is one.
  ///
  /// - Throws: `BackendError`, `DeviceStoreError`.
  public func followed(
    _ command: RemoteCommand, within limit: Duration? = nil
  ) async throws -> RemoteCommand {
    guard let backend else { throw OwnerError.noBackend }
    var command = command
    command.status = try await backend.status(of: command.requestID, within: limit)
    guard let bytes = command.status.receipt else { return command }
    guard let package = command.packages.first(where: { $0.heid == command.status.heid }) else {
      command.receipt = .failure(.unverifiable)
      return command
    }
    let keys = try await keys(of: command.device)
    var authenticator = try ControlAuthenticator()
    do throws(ReceiptRejection) {
      command.receipt = .success(
        try authenticator.verify(bytes.span, for: package, keys: keys))
    } catch {
      command.receipt = .failure(error)
    }
    return command
  }

  /// Takes a command back, as far as no gateway has it.
  public func cancel(_ command: RemoteCommand) async throws {
    guard let backend else { throw OwnerError.noBackend }
    try await backend.cancel(command.requestID)
  }
}
