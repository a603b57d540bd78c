import Bluetooth
import LunaCore
package import LunaOwner
import LunaProtocol

/// A command that waits at a backend, or what became of it, as a JSON line.
package enum RemoteCommandDocument {
  package static func append(_ command: RemoteCommand, to output: OutputBuffer) {
    output.appendLine("command") { writer in
      writer.string("device", command.device.description.uppercased())
      writer.string("requestId", command.requestID)
      writer.string("state", command.status.state.rawValue)
      writer.string("expiresAt", command.status.expiresAt.rfc3339)
      writer.integer("packages", Int64(command.packages.count))
      if let heid = command.status.heid { writer.string("heid", heid.description) }
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
}
