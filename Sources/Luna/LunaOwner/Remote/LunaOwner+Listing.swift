import Bluetooth
import LunaCore
import LunaProtocol

extension LunaOwner {
  /// How long before a command was made its first package may begin, where its tracker's clock was not well known
  /// then; see ``surplusLimit``.
  private static let unsureDays: Int64 = 31

  /// The commands at the backend that are open, and those of the last seven days: the open ones first, the
  /// newest before others.
  ///
  /// - Throws: ``OwnerError``, `BackendError`, `DeviceStoreError`.
  public func remoteCommands() async throws -> [ListedCommand] {
    guard let backend else { throw OwnerError.noBackend }
    let commands = try await backend.commands()
    let devices = try await store.allDevices()
    var names = try await names(of: devices, for: commands, before: 1)
    let unknown = commands.filter { $0.firstHeid.map { names[$0] == nil } ?? false }
    if !unknown.isEmpty {
      names.merge(try await self.names(of: devices, for: unknown, before: Self.unsureDays)) { $1 }
    }
    return commands.map { command in
      ListedCommand(device: command.firstHeid.flatMap { names[$0] }, status: command)
    }
  }

  /// Calls a command off that was listed.
  ///
  /// - Throws: ``OwnerError``, `BackendError`.
  /// - Returns: what became of it.
  public func cancel(_ command: ListedCommand) async throws -> ListedCommand {
    guard let backend else { throw OwnerError.noBackend }
    return ListedCommand(
      device: command.device, status: try await backend.cancel(command.status.requestID))
  }

  /// What devices are called about the times at which commands were made.
  ///
  /// - Parameter days: how long before.
  private func names(
    of devices: [Device], for commands: [CommandStatus], before days: Int64
  ) async throws -> [HEID: Device] {
    // No command is good for longer than a year, and who says otherwise would have identifiers made for ever.
    let now = clock.now()
    let span =
      now.advanced(by: .seconds(-366 * 86_400))...now.advanced(by: .seconds(86_400))
    let times = commands.map(\.createdAt).filter { span.contains($0) }
    guard let first = times.min(), let last = times.max() else { return [:] }
    var names: [HEID: Device] = [:]
    for device in devices where device.masterKey != nil || device.shared != nil {
      let periods = try await periods(
        of: device, from: first.advanced(by: .seconds(-days * 86_400)),
        to: last.advanced(by: .seconds(86_400)))
      let opener = try EventOpener(
        device, periods: periods, clock: try await clock(of: device), ppm: ppm)
      for heid in opener.heids { names[heid] = device }
    }
    return names
  }
}
