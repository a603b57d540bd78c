package import Bluetooth
import Diagnosis
package import LunaBuzzer
import LunaCore
package import LunaProtocol

/// Commands to trackers and what became of them, as fields of JSON lines.
package enum ControlDocument {
  /// What a tracker answered.
  ///
  /// - Parameter text: gives a time as it is written.
  package static func write(
    _ receipt: ControlReceipt, to writer: inout JSONFieldWriter, _ text: (Timestamp) -> String
  ) {
    writer.hex("receipt", receipt.bytes.span)
    writeStatus(receipt.bytes.first, to: &writer)
    writer.boolean("verified", receipt.verified != nil)
    guard let verified = receipt.verified else { return }
    writer.string("trackerTime", text(Timestamp(unixMilliseconds: Int64(verified.clock) * 1000)))
    guard let interval = receipt.clock else { return }
    writer.beginItem("clock")
    writer.decimal("low", interval.low, digits: 3)
    writer.decimal("high", interval.high, digits: 3)
    writer.endItem()
  }

  /// Why a tracker did not obey.
  package static func write(_ error: BuzzerError, to writer: inout JSONFieldWriter) {
    writer.string("kind", error.kind.rawValue)
    writer.string("reason", error.reason)
    if let remedy = error.remedy { writer.string("hint", remedy.description) }
    guard let receipt = error.receipt else { return }
    writer.hex("receipt", receipt.span)
    writeStatus(receipt.first, to: &writer)
    writer.boolean("verified", error.isVerified)
  }

  /// The event that a tracker of somebody else is told with.
  package static func event(_ news: RingNews) -> StaticString {
    switch news {
    case .sounding: "buzzing"
    case .ended: "completed"
    case .lost: "lost"
    }
  }

  /// What a tracker of somebody else does.
  package static func write(_ news: RingNews, to writer: inout JSONFieldWriter) {
    switch news {
    case .sounding(let kind, let isConfirmed):
      writer.string("protocol", kind.rawValue)
      writer.boolean("confirmed", isConfirmed)
    case .ended(let isConfirmed): writer.boolean("confirmed", isConfirmed)
    case .lost(let reason): writer.string("reason", reason)
    }
  }

  /// A time that has passed, s.
  package static func writeElapsed(_ duration: Duration, to writer: inout JSONFieldWriter) {
    writer.decimal("elapsed", Int64(duration / .milliseconds(1)), digits: 3)
  }

  /// The status that an answer names: its word, or its number where there is none.
  private static func writeStatus(_ code: UInt8?, to writer: inout JSONFieldWriter) {
    guard let code else { return }
    if let status = ControlStatus(rawValue: code) {
      writer.string("status", String(describing: status))
    } else {
      writer.integer("status", Int64(code))
    }
  }

  /// Appends a package that anyone can deliver.
  package static func append(
    _ package: ControlPackage, of command: ControlCommand, to output: OutputBuffer
  ) {
    output.appendLine("package") { writer in
      writer.string("heid", package.heid.description)
      writer.integer("keyRollingCounter", Int64(package.reference))
      writer.string("command", command.name)
      writer.integer("argument", Int64(package.argument))
      writer.integer("counter", Int64(package.counter))
      writer.string("data", package.text)
    }
  }
}
