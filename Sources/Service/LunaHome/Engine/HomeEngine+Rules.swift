// Whether a rule that was started runs, and what it does.

extension HomeEngine {
  /// Longer chains of rules that start each other are cut.
  private static let deepest = 4
  private static let rest: Int64 = 600_000_000
  private static let hour: Int64 = 3_600_000_000

  /// Runs a rule, or says why not.
  mutating func start(_ rule: Rule, _ cause: HomeCause) {
    guard rule.isEnabled, var known = state.rules[rule.id] else { return }
    if known.snoozedUntil.map({ now.wall < $0 }) ?? false { return hold(rule, .snoozed, cause) }
    if known.restsUntil.map({ now.boot < $0 }) ?? false { return hold(rule, .loop, cause) }
    if cause.chain.count > HomeEngine.deepest {
      // Each rule of the chain is part of it, and says so.
      for other in configuration.rules where other.id == rule.id || cause.chain.contains(other.id) {
        state.rules[other.id]?.restsUntil = now.boot + HomeEngine.rest
        hold(other, .loop, cause)
      }
      return
    }
    var results: [String] = []
    switch rule.condition.map({ judge($0, cause.tracker, &results) }) ?? .yes {
    case .yes: break
    case .no: return hold(rule, .condition, cause, results)
    case .unknown: return hold(rule, .unknown, cause, results)
    }
    let isTimed = cause.trigger == "time"
    let tracker = cause.tracker ?? ""
    if !isTimed, let until = known.cooldowns[tracker], now.boot < until {
      return hold(rule, .cooldown, cause, results)
    }
    known.runs.removeAll { now.boot - $0 >= HomeEngine.hour }
    if known.runs.count >= rule.maxPerHour { return hold(rule, .limit, cause, results) }
    known.runs.append(now.boot)
    known.lastRun = now.boot
    known.cooldowns = known.cooldowns.filter { $0.value > now.boot }
    if !isTimed, rule.cooldown.microseconds > 0 {
      known.cooldowns[tracker] = now.boot + rule.cooldown.microseconds
    }
    state.rules[rule.id] = known
    fire(rule, cause, results)
  }

  /// Runs a rule because somebody says so: it is not asked whether it would.
  mutating func run(_ rule: Rule, _ cause: HomeCause) {
    state.rules[rule.id]?.runs.append(now.boot)
    state.rules[rule.id]?.lastRun = now.boot
    fire(rule, cause, [])
  }

  private mutating func fire(_ rule: Rule, _ cause: HomeCause, _ results: [String]) {
    let number = firingsNow[rule.id, default: 0]
    firingsNow[rule.id] = number + 1
    let id = "\(rule.id)-\(state.input)" + (number > 0 ? "-\(number + 1)" : "")
    effects.append(
      .firing(
        HomeFiring(
          id: id, wall: now.wall, rule: rule.id, hash: rule.hash, cause: cause,
          conditions: results, actions: rule.actions.map(\.name))))
    act(rule, id, cause, from: 0)
  }

  private mutating func hold(
    _ rule: Rule, _ why: HomeHeld.Why, _ cause: HomeCause, _ conditions: [String] = []
  ) {
    effects.append(
      .held(
        HomeHeld(wall: now.wall, rule: rule.id, why: why, cause: cause, conditions: conditions)))
  }

  private func judge(
    _ condition: Condition, _ tracker: String?, _ results: inout [String]
  ) -> Truth {
    switch condition {
    case .all(let inner): return .all(inner.map { judge($0, tracker, &results) })
    case .any(let inner): return .any(inner.map { judge($0, tracker, &results) })
    case .not(let inner): return !judge(inner, tracker, &results)
    default: break
    }
    let (truth, text) = judge(condition, tracker)
    results.append("\(text): \(truth.rawValue)")
    return truth
  }

  /// Whom a condition means: one of several is enough.
  private func meant(_ who: String?, _ tracker: String?) -> [TrackerEntry] {
    if let who { return configuration.meant(by: who) }
    return tracker.map { id in configuration.trackers.filter { $0.id == id } } ?? []
  }

  private func judge(_ condition: Condition, _ tracker: String?) -> (Truth, String) {
    switch condition {
    case .property(let who, let name, let comparison):
      let meant = meant(who, tracker)
      let truths = meant.map { entry in
        Truth(value(name, of: entry).flatMap { comparison.holds($0) })
      }
      return (
        meant.isEmpty ? .unknown : .any(truths),
        "property \(who ?? tracker ?? "") \(name) \(comparison.text)"
      )
    case .inside(let who, let place):
      let meant = meant(who, tracker)
      let truths = meant.map { Truth(isInside($0.id, place)) }
      return (meant.isEmpty ? .unknown : .any(truths), "inside \(who ?? tracker ?? "") \(place)")
    case .time(let window): return (Truth(window.contains(now.seconds)), "time")
    case .nobodyHome(let tag):
      // What can never be heard, as a thermostat, would leave it unknown for ever.
      let heard = configuration.meant(by: tag).filter {
        $0.canBeHeard || state.trackers[$0.id]?.presence.isEmpty == false
      }
      let truths = heard.map { Truth(isPresent($0.id)) }
      return (heard.isEmpty ? .unknown : !.any(truths), "nobodyHome \(tag ?? "")")
    case .since(let rule, let duration, let isMore):
      let last = state.rules[rule]?.lastRun
      let isLonger = last.map { now.boot - $0 > duration.microseconds } ?? true
      return (Truth(isLonger == isMore), "since \(rule)")
    case .all, .any, .not: return (.unknown, "")
    }
  }

  /// Whether a tracker is in a place; nil where no fix has said so for a day.
  private func isInside(_ tracker: String, _ place: String) -> Bool? {
    guard let known = state.trackers[tracker], let time = known.fixedAt,
      now.boot - time <= 24 * HomeEngine.hour
    else { return nil }
    return known.places[place]?.isInside
  }

  mutating func runWaiting(upTo limit: Int64) {
    let ready = state.waiting.filter { $0.due < limit }
    state.waiting.removeAll { $0.due < limit }
    for run in state.waiting { due(at: run.due) }
    for run in ready {
      guard let rule = configuration.rules.first(where: { $0.id == run.rule }) else { continue }
      act(rule, run.firing, run.cause, from: run.index)
    }
  }

  private mutating func act(_ rule: Rule, _ firing: String, _ cause: HomeCause, from first: Int) {
    for (number, action) in rule.actions.enumerated().dropFirst(first) {
      switch action.name {
      case "wait":
        let run = WaitingRun(
          firing: firing, rule: rule.id, hash: rule.hash, cause: cause, index: number + 1,
          due: now.boot + (action.duration?.microseconds ?? 0))
        state.waiting.append(run)
        due(at: run.due)
        return
      case "rule":
        let until =
          action.isSnooze ? now.wall + (action.duration ?? .seconds(3600)).microseconds : nil
        state.rules[action.rule ?? rule.id]?.snoozedUntil = until
        request(action, rule, firing, number, cause)
      case "notify": notify(action, rule, firing, number, cause)
      case "set":
        request(action, rule, firing, number, cause)
        guard let property = action.property, let value = action.value else { continue }
        // Who carries it out says of those that refuse it why it is not done.
        for tracker in meant(action.who, cause.tracker)
        where !tracker.property(property).refuses(value) {
          setProperty(
            property, of: tracker.id, value, chain: cause.chain + [rule.id], isSet: true)
        }
      default: request(action, rule, firing, number, cause)
      }
    }
  }

  private mutating func request(
    _ action: RuleAction, _ rule: Rule, _ firing: String, _ number: Int, _ cause: HomeCause,
    to recipients: [String] = [], _ delivery: HomeActionRequest.Delivery = .now
  ) {
    effects.append(
      .action(
        HomeActionRequest(
          firing: firing, rule: rule.id, level: action.level ?? rule.level, cause: cause,
          index: number, wall: now.wall, name: action.name,
          parameters: action.parameters, trackers: meant(action.who, cause.tracker).map(\.id),
          recipients: recipients, delivery: delivery,
          fix: cause.tracker.flatMap { state.trackers[$0]?.fix })))
  }

  /// A message to each, at once or later: of rule and contact the stricter holds.
  private mutating func notify(
    _ action: RuleAction, _ rule: Rule, _ firing: String, _ number: Int, _ cause: HomeCause
  ) {
    let given = action.recipients
    let recipients = given.isEmpty ? configuration.defaultRecipients : given
    let level = action.level ?? rule.level
    var (prompt, delayed): ([String], [String]) = ([], [])
    var isDropped = false
    for recipient in recipients {
      let hours = (configuration.contacts[recipient] ?? []).filter {
        $0.window.contains(now.seconds)
      }
      guard !hours.isEmpty, level != "alarm" else {
        prompt.append(recipient)
        continue
      }
      if rule.quiet == "drop" || hours.contains(where: \.drops) {
        isDropped = true
      } else {
        delayed.append(recipient)
      }
    }
    if !prompt.isEmpty || recipients.isEmpty {
      request(action, rule, firing, number, cause, to: prompt)
    }
    if !delayed.isEmpty { request(action, rule, firing, number, cause, to: delayed, .delayed) }
    if isDropped { hold(rule, .quiet, cause) }
  }
}
