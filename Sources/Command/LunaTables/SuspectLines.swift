import Bluetooth
import LunaCore
package import LunaDocuments
package import LunaJSON
import LunaWatch
import TerminalTable

/// What the watch of a home knows, as JSON lines, as comma-separated values or for people.
package struct SuspectLines {
  private let output: OutputBuffer
  private let form: Listing.Form
  private let times: ShownTimes

  /// - Parameter times: how times are shown to people.
  package init(_ output: OutputBuffer, _ form: Listing.Form, _ times: ShownTimes) {
    self.output = output
    self.form = form
    self.times = times
  }

  private static let fields = [
    "id", "time", "told", "grade", "family", "confidence", "trips", "places", "metres", "minutes",
    "reasons", "rssi", "excluded", "tracker",
  ]

  /// What was found and what is known, and what was listened to: without that, an empty list says nothing.
  /// Comma-separated values have no place for it: see ``listening(_:)``.
  ///
  /// - Parameter report: what `LunaHome.suspects()` says.
  package func list(_ report: JSONObject) {
    let all = objects("suspects", report) + objects("excluded", report)
    Listing(
      fields: Self.fields,
      columns: [
        .init(title: times.head("FOUND"), minimum: 19), .init(title: "GRADE"),
        .init(title: "TRACKER"), .init(title: "TRIPS", isNumber: true),
        .init(title: "METRES", isNumber: true), .init(title: "MINUTES", isNumber: true),
        .init(title: "KNOWN AS"),
      ]
    ).append(
      all.count, as: form, to: output,
      line: { $1.append(line: JSONValue.object(all[$0]).description) }, cells: { cells(all[$0]) })
    switch form {
    case .jsonl:
      var line: JSONObject = ["type": "listened", "since": report["since"] ?? .null]
      line.members += (members(report["listened"]) ?? [:]).members
      line.append("cannotFind", report["cannotFind"] ?? [])
      print(line)
    case .csv: break
    case .table:
      line(listening(report))
      line(WatchLines.cannotFind)
    }
  }

  private func cells(_ one: JSONObject) -> [String] {
    [
      time("time", one, times.cell), text("grade", one), text("id", one), number("trips", one),
      number("metres", one), number("minutes", one), text("excluded", one),
    ]
  }

  /// How long was listened, in a sentence.
  package func listening(_ report: JSONObject) -> String {
    let listened = members(report["listened"]) ?? [:]
    let since = time("since", report, times.moment)
    guard !listened.members.isEmpty else { return "Nothing was listened to." }
    let begin = since.isEmpty ? "" : " since \(since)"
    let gaps =
      "\(number("gaps", listened)) gaps of \(number("gapMinutes", listened)) minutes in all"
    return "Listened for \(number("hours", listened)) hours and \(number("trips", listened)) trips"
      + "\(begin); \(gaps)."
  }

  /// One of them, with all that speaks for it.
  ///
  /// - Parameter one: one of those.
  package func show(_ one: JSONObject) {
    guard form != .jsonl else { return print(one) }
    line("\(text("id", one)): \(text("grade", one)), found \(time("time", one, times.moment))")
    line(
      "\(number("trips", one)) trips, \(number("metres", one)) m, \(number("minutes", one)) min, "
        + "\(share("confidence", one)) sure")
    if case .array(let reasons)? = one["reasons"] {
      for case .string(let reason) in reasons {
        line("- " + (WatchReason(rawValue: reason).map(WatchLines.words) ?? reason))
      }
    }
    let why = text("excluded", one)
    if let mark = members(one["mark"]) {
      line("Marked \(why) by \(text("by", mark)), \(time("time", mark, times.moment))")
    } else if !why.isEmpty {
      line("Not judged (\(why))" + (one["tracker"] == .null ? "" : ": \(text("tracker", one))"))
    }
    for ride in objects("rides", one) { line(trip(ride)) }
    if case .array(let identifiers)? = one["identifiers"], identifiers.count > 1 {
      for case .string(let identifier) in identifiers { line("Identifier \(identifier)") }
    }
    for link in objects("links", one) {
      line("\(text("from", link)), then \(text("to", link)): \(share("confidence", link)) sure")
    }
    if let identity = members(one["identity"]) {
      let told = ["manufacturer", "model", "categoryName", "networkName"].map { text($0, identity) }
      line("It says that it is: " + told.filter { !$0.isEmpty }.joined(separator: ", "))
    }
    if one["rssi"] != .null { line("Signal \(number("rssi", one)) dBm") }
  }

  private func trip(_ ride: JSONObject) -> String {
    func place(_ side: String) -> String {
      "\(number(side + "Latitude", ride)),\(number(side + "Longitude", ride))"
    }
    let span = "\(time("begin", ride, times.moment)) until \(time("end", ride, times.moment))"
    let way = "\(number("metres", ride)) m from \(place("from")) to \(place("to"))"
    let heard = "\(number("heard", ride)) of \(number("listened", ride)) slots of two minutes"
    let made = ride["made"] == true ? ", came along" : ""
    return "Trip \(span), \(way): heard in \(heard)\(made)"
  }

  private func print(_ object: JSONObject) {
    output.append(line: JSONValue.object(object).description)
  }

  private func line(_ text: String) { output.append(line: DisplayText.clean(text)) }

  private func members(_ value: JSONValue?) -> JSONObject? {
    if case .object(let object)? = value { object } else { nil }
  }

  private func objects(_ name: String, _ object: JSONObject) -> [JSONObject] {
    guard case .array(let elements)? = object[name] else { return [] }
    return elements.compactMap { members($0) }
  }

  private func text(_ name: String, _ object: JSONObject) -> String {
    if case .string(let text)? = object[name] { text } else { "" }
  }

  private func number(_ name: String, _ object: JSONObject) -> String {
    object[name].map { "\($0)" } ?? ""
  }

  private func share(_ name: String, _ object: JSONObject) -> String {
    switch object[name] {
    case .real(let share)?: "\(Int((min(max(0, share), 1) * 100).rounded())) %"
    case .integer(let share)?: "\(min(max(0, share), 1) * 100) %"
    default: ""
    }
  }

  private func time(
    _ name: String, _ object: JSONObject, _ shown: (Timestamp) -> String
  ) -> String {
    let text = text(name, object)
    return Timestamp(rfc3339: text).map(shown) ?? text
  }
}
