import SafeText

// What rules name, and what they may do.

extension ReferenceCheck {
  /// What can be forged by whoever is near: what is heard, and what follows from it.
  private static let forgeable: Set = ["enter", "exit", "dwell", "beaconIn", "beaconOut"]

  private var ruleIds: [String] { texts(root.list("rules") + root.list("schedules"), "id") }

  mutating func checkRules() {
    for rule in root.list("rules") + root.list("schedules") {
      let actions = rule.list("then").compactMap(\.members.first)
      let notifies = actions.contains { $0.name == "notify" }
      for trigger in rule.list("when").compactMap(\.members.first) {
        checkTrigger(trigger.name, trigger.value, notifies: notifies)
      }
      if let condition = rule["if"] { checkCondition(condition) }
      let isTimed = rule.list("when").contains { $0["time"] != nil }
      for action in actions { checkAction(action.name, action.value, isTimed: isTimed) }
      checkFor(rule)
      checkTargets(rule)
      checkForgeable(rule, actions.map(\.name))
    }
    for rule in root.list("schedules") {
      for trigger in rule.list("when") where trigger["time"] == nil {
        tell(
          .warning, .range, trigger, "a schedule begins by the clock",
          hint: "put this rule into 'rules'")
      }
    }
  }

  private mutating func checkFor(_ rule: NodeCursor) {
    guard let duration = rule["for"] else { return }
    for trigger in rule.list("when").compactMap(\.members.first) {
      switch trigger.name {
      case "beaconIn", "beaconOut": continue
      case "property" where trigger.value["changes"] == nil: continue
      default:
        return tell(
          .range, duration, "'for' has no meaning with '\(trigger.name)'",
          hint: "it goes with property, beaconIn and beaconOut")
      }
    }
  }

  /// Rules that only begin by what is of no tracker have to say which one they mean.
  private mutating func checkTargets(_ rule: NodeCursor) {
    let triggers = rule.list("when").compactMap(\.members.first)
    let untold: Set = ["time", "watch", "system", "message"]
    guard !triggers.isEmpty, triggers.allSatisfy({ untold.contains($0.name) }) else { return }
    let needy: Set = ["buzz", "stopSound", "blink", "ping", "set"]
    var places = rule.list("then").compactMap(\.members.first).filter { needy.contains($0.name) }
      .map(\.value)
    if let condition = rule["if"] { appendTargets(of: condition, to: &places) }
    for place in places where place["who"] == nil {
      tell(
        .warning, .missing, place, "nothing says which tracker: what begins the rule is of none",
        hint: "write 'who'")
    }
  }

  private func appendTargets(of condition: NodeCursor, to places: inout [NodeCursor]) {
    guard let (name, value) = condition.members.first else { return }
    switch name {
    case "all", "any": for inner in value.elements { appendTargets(of: inner, to: &places) }
    case "not": appendTargets(of: value, to: &places)
    case "property", "inside": places.append(value)
    default: break
    }
  }

  /// What a built-in property can never be. What is not known is compared with nothing.
  private mutating func checkComparison(_ trigger: NodeCursor, _ name: String) {
    guard let place = trigger["is"] ?? trigger["above"] ?? trigger["below"] else { return }
    let text = place.text ?? ""
    let hint: String
    switch name {
    case "present":
      if ["yes", "no"].contains(text) { return }
      hint = #"write "yes" or "no""#
    case "zone":
      let places = texts(root.list("places"), "id") + ["away"]
      if places.contains(text) || surroundings.known.contains(text) { return }
      hint = #"write the id of a place, or "away""#
    case "batteryLow", "connectable", "separated":
      if place.node.bool != nil { return }
      hint = "write true or false"
    case "location", "zones": hint = "write 'changes'; a condition is 'inside'"
    default: return
    }
    tell(.warning, .range, place, "'\(name)' is never so: the rule waits for ever", hint: hint)
  }

  /// A value that none of those who are meant can have. Of texts nothing is said.
  private mutating func checkValue(_ action: NodeCursor) {
    guard let name = action["property"]?.text, let place = action["value"],
      let value = PropertyValue(place.node.json)
    else { return }
    let properties: [ManagedProperty] = managed(name, of: action["who"]?.text).compactMap {
      if case .declared(let property) = $0 { ManagedProperty(name, property.node) } else { nil }
    }
    guard !properties.isEmpty, properties.allSatisfy({ $0.type != "text" && !$0.takes(value) })
    else { return }
    tell(
      .warning, .range, place, "\(JSONEscape.quoted(name)) does not take \(value.json)",
      hint: "write a value of its type, within its range")
  }

  private var trackerNames: [String] {
    let trackers = root.list("trackers")
    return texts(trackers, "id") + texts(trackers, "name") + texts(trackers, "device")
      + trackers.flatMap { $0.list("tags").compactMap(\.text) }
  }

  private mutating func checkWho(_ place: NodeCursor?) {
    guard let place, let name = place.text, name != "self", !trackerNames.contains(name),
      !surroundings.known.contains(name)
    else { return }
    tellUnknown(place, "tracker or tag", among: trackerNames)
  }

  /// What a model says of a property: nil for a built-in model, which has it in every way.
  private enum Managed {
    case builtIn
    case declared(NodeCursor)
    case absent
  }

  /// What the models of those who are meant say of a property.
  private func managed(_ property: String, of who: String?) -> [Managed] {
    let models = root.list("devices")
    let trackers = root.list("trackers").filter { tracker in
      guard let who, who != "self" else { return true }
      return ["id", "name", "device"].contains { tracker[$0]?.text == who }
        || tracker.list("tags").contains { $0.text == who }
    }
    return trackers.map { tracker in
      guard let name = tracker["model"]?.text,
        let model = models.first(where: { $0["oemModel"]?.text == name })
      else {
        let isMatched = models.contains {
          $0["advertisementMatch"] != nil || $0["ssidRegex"] != nil
        }
        // By its advertisements it may have any model of the file.
        return BuiltIn.properties.contains(property) || isMatched ? .builtIn : .absent
      }
      let found = model.list("managedProperties").first { $0["name"]?.text == property }
      return found.map { .declared($0) } ?? .absent
    }
  }

  /// - Parameter permission: the key of the property that has to be true.
  private mutating func checkProperty(
    _ trigger: NodeCursor, permission: String?, _ code: Problem.Code
  ) {
    guard let place = trigger["property"], let name = place.text else { return }
    checkComparison(trigger, name)
    let who = trigger["who"]?.text
    let managed = managed(name, of: who)
    let declared = managed.compactMap {
      if case .declared(let property) = $0 { property } else { nil }
    }
    let isBuiltIn = managed.contains { if case .builtIn = $0 { true } else { false } }
    guard isBuiltIn || !declared.isEmpty else {
      // Trackers that the file does not name have the built-in models.
      if managed.isEmpty && BuiltIn.properties.contains(name) { return }
      let own = root.list("devices").flatMap { texts($0.list("managedProperties"), "name") }
      if managed.isEmpty && own.contains(name) { return }
      return tellUnknown(place, "managed property", among: own + BuiltIn.properties.sorted())
    }
    guard let permission, !isBuiltIn,
      declared.allSatisfy({ $0[permission]?.node.bool == false })
    else { return }
    tell(
      code, place, "'\(permission)' of the property \(JSONEscape.quoted(name)) is false",
      hint: "set it to true in the model")
  }

  private mutating func checkTrigger(_ name: String, _ trigger: NodeCursor, notifies: Bool) {
    checkWho(trigger["who"])
    checkPlace(trigger["place"])
    switch name {
    case "dwell":
      // Of a place that was made in the app nothing is known here.
      guard trigger["after"] == nil, let id = trigger["place"]?.text,
        let place = root.list("places").first(where: { $0["id"]?.text == id }),
        place["dwell"] == nil
      else { break }
      tell(
        .warning, .missing, trigger, "nothing says after how long, so this never begins",
        hint: "write 'after', or 'dwell' in the place")
    case "property":
      checkProperty(trigger, permission: notifies ? "notify" : nil, .notNotifiable)
    case "time":
      if let every = trigger["every"], let text = every.text,
        HomeDuration(text).map({ $0 < .seconds(1) }) == true
      {
        tell(.range, every, "that is less than a second", hint: "write 1s or more")
      }
      if let end = trigger["end"], let first = trigger["start"]?.text.flatMap({ CivilDate($0) }),
        let last = end.text.flatMap({ CivilDate($0) }), last < first
      {
        tell(.range, end, "the last day is before the first", hint: "swap them")
      }
    case "watch":
      guard root["watch"]?["discreet"]?.node.bool == true else { break }
      tell(
        .warning, .notNotifiable, trigger, "'discreet' of 'watch' is true: no rule begins by it",
        hint: "look into the app, or set it to false")
    default: break
    }
  }

  private mutating func checkCondition(_ condition: NodeCursor) {
    guard let (name, value) = condition.members.first else { return }
    switch name {
    case "all", "any": for inner in value.elements { checkCondition(inner) }
    case "not": checkCondition(value)
    case "property":
      checkWho(value["who"])
      checkProperty(value, permission: nil, .unknownReference)
    case "inside":
      checkWho(value["who"])
      checkPlace(value["place"])
    case "nobodyHome": checkWho(value["tag"])
    case "since": checkRule(value["rule"])
    default: break
    }
  }

  private mutating func checkRule(_ place: NodeCursor?) {
    guard let place, let name = place.text, !ruleIds.contains(name),
      !surroundings.known.contains(name)
    else { return }
    tellUnknown(place, "rule", among: ruleIds)
  }

  private mutating func checkAction(_ name: String, _ action: NodeCursor, isTimed: Bool) {
    checkWho(action["who"])
    switch name {
    case "notify":
      for recipient in (action["to"].map { [$0] } ?? []) + action.list("to") {
        checkRecipient(recipient)
      }
      if action["to"] == nil, root["notifications"]?.list("default").isEmpty ?? true {
        tell(
          .warning, .missing, action, "this tells nobody",
          hint: "write 'to', or 'default' in notifications")
      }
      checkMessage(action["template"])
    case "webhook": checkTemplate(action["body"])
    case "exec": checkProgram(action["name"])
    case "publish":
      checkBroker(action["topic"])
      checkTemplate(action["payload"])
    case "set":
      checkProperty(action, permission: isTimed ? "schedule" : nil, .notSchedulable)
      checkValue(action)
    case "wait":
      if let duration = action.text.flatMap({ HomeDuration($0) }), duration > .seconds(3600) {
        tell(.range, action, "that is more than an hour", hint: "write 1h at most")
      }
    case "rule": checkRule(action["id"])
    default: break
    }
  }

  /// A template by its name, or a text.
  private mutating func checkMessage(_ place: NodeCursor?) {
    guard let place, let text = place.text else { return }
    let templates = root["notifications"]?["templates"]?.members.map(\.name) ?? []
    if templates.contains(text) { return }
    if TextForm.identifier.accepts(text) {
      tellUnknown(place, "template", among: templates)
    } else {
      checkTemplate(place)
    }
  }

  /// Whoever is near can forge a position or a presence: a rule that acts on nothing else is told.
  private mutating func checkForgeable(_ rule: NodeCursor, _ actions: [String]) {
    guard actions.contains(where: { ["exec", "publish", "set"].contains($0) }),
      let trigger = rule.list("when").first(where: isForgeable),
      !(rule["if"].map(isCertain) ?? false)
    else { return }
    tell(
      .warning, .forgeable, trigger,
      "whoever is near can forge this, and the rule acts on nothing else",
      hint: "ask in 'if' for a property that does not come from the air")
  }

  private func isForgeable(_ trigger: NodeCursor) -> Bool {
    guard let (name, value) = trigger.members.first else { return false }
    if name == "property" { return BuiltIn.properties.contains(value["property"]?.text ?? "") }
    return ReferenceCheck.forgeable.contains(name)
  }

  /// Whether a condition asks for something that does not come from the air, in any case.
  private func isCertain(_ condition: NodeCursor) -> Bool {
    guard let (name, value) = condition.members.first else { return false }
    return switch name {
    case "all": value.elements.contains(where: isCertain)
    case "any": !value.elements.isEmpty && value.elements.allSatisfy(isCertain)
    case "not": isCertain(value)
    case "property": !BuiltIn.properties.contains(value["property"]?.text ?? "")
    default: false
    }
  }
}
