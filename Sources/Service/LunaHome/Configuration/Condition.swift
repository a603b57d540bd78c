/// What has to be true for a rule to run.
indirect enum Condition: Sendable {
  case all([Condition])
  case any([Condition])
  case not(Condition)
  case property(who: String?, name: String, Comparison)
  case inside(who: String?, place: String)
  case time(TimeWindow)
  case nobodyHome(tag: String?)
  /// Whether a rule ran longer ago than a time, or not so long ago.
  case since(rule: String, HomeDuration, isMore: Bool)

  init?(_ node: SourceNode, _ zones: ZoneBook) {
    guard let member = node.members.first else { return nil }
    let value = member.value
    switch member.name {
    case "all": self = .all(value.elements.compactMap { Condition($0, zones) })
    case "any": self = .any(value.elements.compactMap { Condition($0, zones) })
    case "not":
      guard let inner = Condition(value, zones) else { return nil }
      self = .not(inner)
    case "property":
      guard let name = value["property"]?.text, let comparison = Comparison(value) else {
        return nil
      }
      self = .property(who: value["who"]?.text, name: name, comparison)
    case "inside":
      guard let place = value["place"]?.text else { return nil }
      self = .inside(who: value["who"]?.text, place: place)
    case "time":
      self = .time(
        TimeWindow(
          from: value["from"]?.text.flatMap { ClockTime($0) } ?? ClockTime(seconds: 0),
          to: value["to"]?.text.flatMap { ClockTime($0) },
          days: value["days"].map { DaySet($0.elements.compactMap(\.text)) } ?? .all,
          zone: zones[value["zone"]?.text]))
    case "nobodyHome": self = .nobodyHome(tag: value["tag"]?.text)
    case "since":
      guard let rule = value["rule"]?.text,
        let duration = value["more"]?.duration ?? value["less"]?.duration
      else { return nil }
      self = .since(rule: rule, duration, isMore: value["more"] != nil)
    default: return nil
    }
  }
}
