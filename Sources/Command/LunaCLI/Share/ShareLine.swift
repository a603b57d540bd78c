import Bluetooth
import LunaCore
import LunaDocuments
import LunaProtocol
import TerminalTable

/// A share as a line for people, or of JSON.
struct ShareLine {
  let share: DeviceUUID
  let isSent: Bool
  let tracker: String
  let contact: String
  let rights: ShareRights
  let periods: PeriodRange
  let serial: Int64
  let issuedAt: Int64
  let until: Int64
  let state: String
  let isRenewed: Bool
  let file: String?

  private var words: String { (["see"] + rights.words).joined(separator: ",") }

  private static func time(_ seconds: Int64) -> String {
    let milliseconds = seconds.multipliedReportingOverflow(by: 1000)
    return Timestamp(unixMilliseconds: milliseconds.overflow ? 0 : milliseconds.partialValue)
      .rfc3339
  }

  func append(to output: OutputBuffer, isJSON: Bool) {
    guard isJSON else {
      let way = isSent ? "to" : "from"
      let text =
        "\(share)  \(tracker) \(way) \(contact): \(words), \(state) until \(Self.time(until))"
      return output.append(line: DisplayText.clean(text))
    }
    output.appendLine("share") { writer in
      writer.string("id", share.description)
      writer.string("direction", isSent ? "sent" : "received")
      writer.string("tracker", tracker)
      writer.string("contact", contact)
      writer.string("rights", words)
      writer.integer("firstPeriod", Int64(periods.first))
      writer.integer("periodCount", Int64(periods.count))
      if let ring = rights.ring {
        writer.integer("ringSeconds", Int64(ring.seconds))
        writer.integer("ringsPerPeriod", Int64(ring.perPeriod))
      }
      writer.integer("serial", serial)
      writer.string("issuedAt", Self.time(issuedAt))
      writer.string("until", Self.time(until))
      writer.string("state", state)
      if isRenewed { writer.boolean("renewed", true) }
      if let file { writer.string("file", file) }
    }
  }
}
