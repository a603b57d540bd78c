import Bluetooth
package import LunaDocuments
package import LunaOwner
import LunaProtocol
package import TerminalTable

/// Where a tracker was, for its owner to read: a row for each time that gateways heard it.
package struct EventTable {
  /// No gateway reports a tracker twice within this, µs: what is so close comes from several.
  private static let span: Int64 = 60_000_000

  private let clock: ClockText
  private let groups: [[Event]]

  /// - Parameter events: what was opened, in any order.
  package init(_ events: [Event], clock: ClockText) {
    self.clock = clock
    var groups: [[Event]] = []
    for event in events.sorted(by: { $0.collectedAt < $1.collectedAt }) {
      if let first = groups.last?.first,
        first.collectedAt.microseconds.distance(to: event.collectedAt.microseconds) < Self.span
      {
        groups[groups.count - 1].append(event)
      } else {
        groups.append([event])
      }
    }
    self.groups = groups
  }

  /// The columns. At 40 there is room for when and where.
  package var heads: [ColumnTable.Column] {
    [
      .init(title: clock.head("TIME")), .init(title: "PLACE"),
      .init(title: "ACCURACY", isNumber: true, isOptional: true),
      .init(title: "GATEWAYS", isNumber: true, isOptional: true),
      .init(title: "BATTERY", isOptional: true), .init(title: "NOTE", minimum: 4, isOptional: true),
      .init(title: "MAP", isOptional: true),
    ]
  }

  /// The rows, oldest first.
  package var rows: [[String]] {
    groups.map { group in
      let best = Self.best(of: group)
      let battery = group.compactMap { try? $0.status.get().battery }
        .max { $0.rawValue < $1.rawValue }
      return [
        clock.dateAndTime(best.collectedAt), MapLink(best.record).coordinates,
        Self.accuracy(of: best), String(Self.gateways(of: group)),
        battery?.word?.description ?? "-",
        Self.note(on: best), MapLink(best.record).short,
      ]
    }
  }

  /// Whether a row is about more than one event.
  package var isShared: Bool { groups.count < groups.reduce(0) { $0 + $1.count } }

  /// What to believe of the last time that gateways heard it; nil without any event that can be true.
  package var newest: Event? {
    groups.last { $0.contains(where: \.isPlausible) }.map { Self.best(of: $0) }
  }

  /// Where it was last, on a map that everybody can open; nil without any event that can be true.
  package var latest: String? { newest.map { MapLink($0.record).short } }

  /// The one of several to believe: that can be true, the most exact, the nearest.
  private static func best(of group: [Event]) -> Event {
    func rank(_ event: Event) -> (Int, Int, Int) {
      (
        event.isPlausible ? 0 : 1,
        event.record.horizontalAccuracyDecimetres.map { Int($0) } ?? .max,
        -(event.record.rssi.map { Int($0) } ?? -128)
      )
    }
    return group.dropFirst().reduce(group[0]) { rank($1) < rank($0) ? $1 : $0 }
  }

  /// How many gateways there were, as far as reports tell, which do not say whose they are: one that began anew reports
  /// the same place once more.
  private static func gateways(of group: [Event]) -> Int {
    Set(
      group.map { event -> [Int32] in
        let record = event.record
        return [
          record.latitudeE7, record.longitudeE7, record.altitudeCentimetres ?? .min,
          record.horizontalAccuracyDecimetres.map { Int32($0) } ?? -1,
        ]
      }
    ).count
  }

  /// How exactly a gateway knew its place.
  static func accuracy(of event: Event) -> String {
    guard let accuracy = event.record.horizontalAccuracyDecimetres else { return "-" }
    let metres = "\((Int(accuracy) + 9) / 10) m"
    return accuracy == LocationRecord.orMore ? "over \(metres)" : metres
  }

  /// What one has to know besides.
  static func note(on event: Event) -> String {
    var notes: [String] = []
    if !event.isPlausible { notes.append("at an implausible time") }
    if event.record.isSimulated { notes.append("simulated") }
    return notes.isEmpty ? "-" : notes.joined(separator: ", ")
  }
}
