/// When somebody is not to be disturbed.
struct QuietHours: Sendable {
  let window: TimeWindow
  /// Whether messages are dropped, else they are delayed.
  let drops: Bool

  init?(_ node: SourceNode, _ zones: ZoneBook) {
    guard let from = node["from"]?.text.flatMap({ ClockTime($0) }),
      let to = node["to"]?.text.flatMap({ ClockTime($0) })
    else { return nil }
    window = TimeWindow(
      from: from, to: to, days: node["days"].map { DaySet($0.elements.compactMap(\.text)) } ?? .all,
      zone: zones[node["zone"]?.text])
    drops = node["do"]?.text == "drop"
  }
}
