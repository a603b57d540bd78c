import Beacons
import Bluetooth
import LunaCore
import LunaJSON
package import LunaWatch

/// What a watch has found, as JSON lines or for people.
package struct WatchLines {
  /// Stands beside all that was found, or not.
  package static let cannotFind =
    "Silent trackers cannot be found, nor those with a mobile network of their own."

  private let output: OutputBuffer
  private let isJSON: Bool
  private let clock: ClockText

  /// - Parameter clock: how times are shown to people.
  package init(_ output: OutputBuffer, isJSON: Bool, clock: ClockText) {
    self.output = output
    self.isJSON = isJSON
    self.clock = clock
  }

  /// Writes what waits.
  package func flush() throws(OutputBuffer.WriteError) { try output.flush() }

  /// Something was found.
  package func append(_ finding: WatchFinding) {
    guard isJSON else { return output.append(line: text(finding)) }
    append("suspect", ["time": .string(finding.time.rfc3339)], finding)
  }

  private func append(_ type: String, _ first: JSONObject, _ finding: WatchFinding) {
    var object: JSONObject = ["type": .string(type)]
    object.members += first.members
    object.append("grade", .string(finding.grade.rawValue))
    object.append("family", .string(finding.family.rawValue))
    object.append("identifiers", .array(finding.identifiers.map { .string($0.description) }))
    object.members += WatchDocument.evidence(finding).members
    output.append(line: JSONValue.object(object).description)
  }

  /// The end, with what was not judged and what was listened to.
  ///
  /// - Parameter untimed: how many reports had no time that can be.
  package func append(
    _ summary: WatchSummary, _ listening: ListenSummary, untimed: Int = 0
  ) {
    guard isJSON else { return endForPeople(summary, untimed) }
    for finding in summary.excluded {
      append("excluded", ["why": .string(finding.exclusion?.rawValue ?? "")], finding)
    }
    ListeningLines.append(listening, to: output) { writer in
      writer.decimal("hours", Int64((summary.hours * 100).rounded()), digits: 2)
      writer.integer("trips", Int64(summary.trips))
      writer.integer("gaps", Int64(summary.gaps))
      writer.integer("gapMinutes", Int64(summary.gapMinutes))
      writer.integer("identifiers", Int64(summary.identifiers))
      writer.integer("forgotten", Int64(summary.dropped))
      writer.integer("untimed", Int64(untimed))
      writer.integer("notices", Int64(summary.notices))
      writer.integer("suspects", Int64(summary.suspects))
      writer.integer("alarms", Int64(summary.alarms))
      writer.integer("possible", Int64(summary.possible))
      writer.integer("excluded", Int64(summary.excluded.count))
      writer.beginList("cannotFind")
      for word in WatchSummary.cannotFind { writer.element(word) }
      writer.endList()
    }
  }

  private func percent(_ share: Double) -> Int64 { Int64((share * 100).rounded()) }

  private func text(_ finding: WatchFinding) -> String {
    "\(clock.moment(finding.time))  \(finding.grade.rawValue)  "
      + "\(finding.identifiers.last.map { "\($0)" } ?? "")  \(count(finding.trips, "trip")), "
      + "\(finding.metres) m, \(finding.minutes) min, "
      + "\(percent(finding.confidence)) % sure: "
      + finding.reasons.map { WatchLines.words($0) }.joined(separator: "; ")
  }

  private func endForPeople(_ summary: WatchSummary, _ untimed: Int) {
    for finding in summary.excluded {
      output.append(
        line: "not judged (\(finding.exclusion?.rawValue ?? "")): "
          + "\(finding.identifiers.last.map { "\($0)" } ?? ""), \(count(finding.trips, "trip"))")
    }
    output.append(
      line: "\(count(summary.alarms, "alarm")), \(summary.possible) possible, "
        + "\(count(summary.suspects, "suspect")), \(count(summary.notices, "notice")) in "
        + "\(count(Int(summary.hours), "hour")) and \(count(summary.trips, "trip")); "
        + "\(count(summary.gaps, "gap")) of \(count(summary.gapMinutes, "minute")) in all")
    if untimed > 0 {
      output.append(
        line: "\(count(untimed, "report")) had no time that can be, and could not be judged")
    }
    output.append(line: WatchLines.cannotFind)
  }

  private func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  /// A reason for people.
  package static func words(_ reason: WatchReason) -> String {
    switch reason {
    case .heardOnTrip: "heard on a trip"
    case .madeTrip: "came along on a trip"
    case .madeTrips: "came along on two trips"
    case .threePlaces: "came along to three places"
    case .stayed: "stayed half an hour where you often are"
    case .nearOwner: "its owner is near: it may belong to somebody you live with"
    case .threeDays:
      "came along so on three days: one that follows can claim that its owner is near"
    case .noPlaces: "stays; where that was is not known"
    case .newHere: "new here for three nights"
    case .shortLived:
      "some tracker of this kind was with you each time; "
        + "that it was the same one cannot be shown"
    }
  }
}
