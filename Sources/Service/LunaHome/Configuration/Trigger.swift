/// What starts a rule (HOME.md 5.1).
enum Trigger: Sendable {
  enum Crossing: String, Sendable { case enter, exit, dwell }

  case crossing(Crossing, who: String?, place: String, after: HomeDuration?)
  case beacon(isIn: Bool, who: String?, minRssi: Int)
  case property(who: String?, name: String, Comparison, hysteresis: Double)
  case time(TimeTrigger)
  case watch(grade: String)
  case system(String)
  case message(String)

  init?(_ node: SourceNode, _ zones: ZoneBook) {
    guard let member = node.members.first else { return nil }
    let value = member.value
    let who = value["who"]?.text
    switch member.name {
    case "enter", "exit", "dwell":
      guard let place = value["place"]?.text, let crossing = Crossing(rawValue: member.name) else {
        return nil
      }
      self = .crossing(crossing, who: who, place: place, after: value["after"]?.duration)
    case "beaconIn", "beaconOut":
      self = .beacon(
        isIn: member.name == "beaconIn", who: who, minRssi: Int(value["minRssi"]?.integer ?? -127))
    case "property":
      guard let name = value["property"]?.text, let comparison = Comparison(value) else {
        return nil
      }
      self = .property(
        who: who, name: name, comparison, hysteresis: value["hysteresis"]?.number ?? 0)
    case "time":
      guard let trigger = TimeTrigger(value, zones) else { return nil }
      self = .time(trigger)
    case "watch": self = .watch(grade: value["grade"]?.text ?? "alarm")
    case "system":
      guard let text = value.text else { return nil }
      self = .system(text)
    case "message":
      guard let text = value.text else { return nil }
      self = .message(text)
    default: return nil
    }
  }

  /// Its name in the file.
  var name: String {
    switch self {
    case .crossing(let crossing, _, _, _): crossing.rawValue
    case .beacon(let isIn, _, _): isIn ? "beaconIn" : "beaconOut"
    case .property: "property"
    case .time: "time"
    case .watch: "watch"
    case .system: "system"
    case .message: "message"
    }
  }

  var who: String? {
    switch self {
    case .crossing(_, let who, _, _), .beacon(_, let who, _), .property(let who, _, _, _): who
    default: nil
    }
  }
}

extension TimeTrigger {
  init?(_ node: SourceNode, _ zones: ZoneBook) {
    let times = (node["at"]?.elements ?? []).compactMap { $0.text.flatMap { ClockTime($0) } }
    if let interval = node["every"]?.duration {
      kind = .every(
        max(1, interval.microseconds / 1_000_000),
        from: node["from"]?.text.flatMap { ClockTime($0) } ?? ClockTime(seconds: 0),
        to: node["to"]?.text.flatMap { ClockTime($0) })
    } else {
      guard !times.isEmpty else { return nil }
      kind = .at(times)
    }
    days = node["days"].map { DaySet($0.elements.compactMap(\.text)) } ?? .all
    zone = zones[node["zone"]?.text]
    start = node["start"]?.text.flatMap { CivilDate($0) }
    end = node["end"]?.text.flatMap { CivilDate($0) }
  }
}
