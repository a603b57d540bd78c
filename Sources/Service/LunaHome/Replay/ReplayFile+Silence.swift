extension ReplayFile {
  /// Why nothing has started a rule, as far as that can be known.
  ///
  /// - Parameters:
  ///   - rule: only this one was judged.
  ///   - from: from when outcomes were asked for, µs since 1970.
  ///   - to: until when, not included.
  package func silence(
    of rule: String? = nil, with configuration: HomeConfiguration, from: Int64 = .min,
    to: Int64 = .max
  ) -> String {
    let rules = configuration.rules.filter { rule == nil || $0.id == rule }
    guard !rules.isEmpty else { return "the home's file has no rules" }
    let working = rules.filter(\.isEnabled)
    guard !working.isEmpty else {
      return rule == nil ? "all rules are off (enabled)" : "the rule is off (enabled)"
    }
    guard !entries.isEmpty else { return "nothing in it is of a tracker of this home" }
    let inputs = entries.filter { $0.wall >= from && $0.wall < to }
    guard !inputs.isEmpty else { return "nothing in it is of that time" }
    let triggers = working.flatMap(\.triggers)
    let isOfTrackers = triggers.allSatisfy { trigger in
      switch trigger {
      case .crossing, .beacon, .property: true
      case .time, .watch, .system, .message: false
      }
    }
    let meant = Set(triggers.flatMap { configuration.meant(by: $0.who) }.map(\.id))
    let told = Set(inputs.compactMap(\.input.tracker))
    if isOfTrackers, meant.isDisjoint(with: told) {
      let others = told.isEmpty ? "no tracker" : told.sorted().prefix(5).joined(separator: ", ")
      return "it tells of \(others), and what is judged waits for "
        + (meant.isEmpty
          ? "none of this home" : meant.sorted().prefix(5).joined(separator: ", "))
    }
    return "nothing in it starts one; what is so at first, as who is there, is no event"
  }
}
