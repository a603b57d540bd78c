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
    let status = try await backend.submit(packages, expiresAt: start.advanced(by: duration))
    return RemoteCommand(
      device: device.uuid, requestID: status.requestID, packages: packages, status: status)
  }

  /// Asks how far a command is, and verifies the tracker's answer when there is one.
  ///
  /// When the tracker proves that it has seen a newer command, as one with whom it is shared can make it,
  /// the command is left there anew with a counter above all of those, three times at most
  /// (SHARING.md, 1); then it has another number at the backend.
  ///
  /// - Throws: `BackendError`, `DeviceStoreError`.
  public func followed(
    _ command: RemoteCommand, within limit: Duration? = nil
  ) async throws -> RemoteCommand {
    guard let backend else { throw OwnerError.noBackend }
    let command = try await verified(
      command, try await backend.status(of: command.requestID, within: limit))
    guard case .success(let receipt)? = command.receipt, receipt.status == .stale else {
      return command
    }
    return try await reissued(command, after: receipt)
  }

  /// A command of which the backend says something new: the tracker's answer is verified.
  private func verified(
    _ command: RemoteCommand, _ status: CommandStatus
  ) async throws -> RemoteCommand {
    var command = command
    command.status = status
    guard let bytes = command.status.receipt else { return command }
    guard let package = command.packages.first(where: { $0.heid == command.status.heid }) else {
      command.receipt = .failure(.unverifiable)
      return command
    }
    let device = try await device(command.device)
    // What was rung by a share was answered under a key that is the owner's alone.
    guard device.shared == nil else {
      command.receipt = .failure(.unverifiable)
      return command
    }
    let keys = try keys(of: device)
    var authenticator = try ControlAuthenticator()
    do throws(ReceiptRejection) {
      command.receipt = .success(
        try authenticator.verify(bytes.span, for: package, keys: keys))
    } catch {
      command.receipt = .failure(error)
    }
    return command
  }

  /// The same command with a counter above all rings of a share that the tracker may have seen.
  private func reissued(
    _ command: RemoteCommand, after receipt: Receipt
  ) async throws -> RemoteCommand {
    let now = clock.now()
    let left = (command.status.expiresAt.microseconds - now.microseconds) / 1_000_000
    guard command.reissues < LunaOwner.reissueLimit, left > 0, let package = command.packages.first,
      let action = package.command
    else { return command }
    let device = try await device(command.device)
    _ = try await prepareAgain(for: device.uuid, trackerTime: receipt.clock, at: now)
    var again = try await sendRemotely(
      action, argument: package.argument, to: device, from: now, lasting: .seconds(left))
    again.reissues = command.reissues + 1
    return again
  }

  /// Calls a command off. A gateway that has it already may still deliver it; one that is over stays as it is.
  ///
  /// - Parameter limit: how long the answer may take; nil for as long as a request may take at all.
  /// - Throws: `BackendError`, `DeviceStoreError`.
  /// - Returns: the command, with what became of it.
  @discardableResult
  public func cancel(
    _ command: RemoteCommand, within limit: Duration? = nil
  ) async throws -> RemoteCommand {
    guard let backend else { throw OwnerError.noBackend }
    return try await verified(
      command, try await backend.cancel(command.requestID, within: limit))
  }
}
