import Bluetooth
import LunaCore
package import LunaDocuments
package import LunaOwner
package import TerminalTable

/// The commands at a backend, for their owner to read: a row each.
package struct CommandTable {
  private let commands: [ListedCommand]
  private let clock: ClockText

  package init(_ commands: [ListedCommand], clock: ClockText) {
    self.commands = commands
    self.clock = clock
  }

  /// The columns. At 40 there is room for the first three.
  package var heads: [ColumnTable.Column] {
    [
      .init(title: clock.head("MADE")), .init(title: "DEVICE", minimum: 6),
      .init(title: "STATE", minimum: 11), .init(title: clock.head("UNTIL"), isOptional: true),
      .init(title: "REQUEST", minimum: 8, isOptional: true),
    ]
  }

  /// The rows, in the order given.
  package var rows: [[String]] {
    commands.map { command in
      let status = command.status
      return [
        clock.dateAndTime(status.createdAt), command.device?.name ?? "not known here",
        Self.words(status), clock.dateAndTime(status.cancelledAt ?? status.expiresAt),
        status.requestID,
      ]
    }
  }

  private static func words(_ status: CommandStatus) -> String {
    switch status.state {
    case .queued: "waits for a gateway"
    case .offered: "a gateway has it"
    case .confirmed: status.cancelledAt == nil ? "delivered" : "delivered, though called off"
    case .failed: "failed"
    case .cancelled:
      status.offeredUntil == nil ? "called off" : "called off, a gateway has it"
    case .expired: "expired"
    }
  }
}
