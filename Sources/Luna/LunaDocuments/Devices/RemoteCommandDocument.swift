import Bluetooth
import LunaCore
package import LunaOwner
import LunaProtocol

/// A command that waits at a backend, or what became of it, as a JSON line.
package enum RemoteCommandDocument {
  package static func append(_ command: RemoteCommand, to output: OutputBuffer) {
    output.appendLine("command") { writer in
      write(command.device, command.status, to: &writer)
      writer.integer("packages", Int64(command.packages.count))
      switch command.receipt {
      case .success(let receipt)?:
        writer.boolean("verified", true)
        writer.string("status", receipt.status.map { "\($0)" } ?? "\(receipt.statusCode)")
        writer.string(
          "trackerTime", Timestamp(microseconds: Int64(receipt.clock) * 1_000_000).rfc3339)
      case .failure(let rejection)?:
        writer.boolean("verified", false)
        writer.string("receiptError", rejection.rawValue)
      case nil: break
      }
      if let detail = command.status.detail { writer.text("detail", detail) }
    }
  }

  package static func append(_ command: ListedCommand, to output: OutputBuffer) {
    output.appendLine("command") { writer in
      write(command.device?.uuid, command.status, to: &writer)
      if let detail = command.status.detail { writer.text("detail", detail) }
    }
  }

  private static func write(
    _ device: DeviceUUID?, _ status: CommandStatus, to writer: inout JSONFieldWriter
  ) {
    if let device { writer.string("device", device.description.uppercased()) }
    writer.string("requestId", status.requestID)
    writer.string("state", word(status.state))
    writer.string("createdAt", status.createdAt.rfc3339)
    writer.string("expiresAt", status.expiresAt.rfc3339)
    if let time = status.offeredUntil { writer.string("offeredUntil", time.rfc3339) }
    if let time = status.cancelledAt { writer.string("cancelledAt", time.rfc3339) }
    if let heid = status.heid { writer.string("heid", heid.description) }
  }

  /// What was called off is over as what has expired, at the time that stands beside it.
  private static func word(_ state: CommandStatus.State) -> String {
    state == .cancelled ? CommandStatus.State.expired.rawValue : state.rawValue
  }
}
