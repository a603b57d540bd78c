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

  private static func moment(_ seconds: Int64) -> Timestamp {
    let milliseconds = seconds.multipliedReportingOverflow(by: 1000)
    return Timestamp(unixMilliseconds: milliseconds.overflow ? 0 : milliseconds.partialValue)
  }

  /// - Parameter times: how they are shown to people.
  func append(to output: OutputBuffer, isJSON: Bool, _ times: ShownTimes) {
    guard isJSON else {
      let way = isSent ? "to" : "from"
      let end = times.moment(Self.moment(until))
      let text = "\(share)  \(tracker) \(way) \(contact): \(words), \(state) until \(end)"
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
      writer.string("issuedAt", Self.moment(issuedAt).rfc3339)
      writer.string("until", Self.moment(until).rfc3339)
      writer.string("state", state)
      if isRenewed { writer.boolean("renewed", true) }
      if let file { writer.string("file", file) }
    }
  }
}
