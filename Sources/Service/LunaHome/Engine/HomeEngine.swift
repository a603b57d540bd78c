/// The rules of a home as a value: what happens goes in, what is to be done comes out. No clock, no
/// input or output and no chance inside; the same inputs give the same effects.
public struct HomeEngine: Sendable {
  /// What holds.
  public let configuration: HomeConfiguration
  /// What is remembered.
  public internal(set) var state: HomeState
  var now = Moment(wall: 0, boot: 0)
  var effects: [HomeEffect] = []
  /// How many firings a rule had by this input.
  var firingsNow: [String: Int] = [:]
  let index: RuleIndex
  /// The trackers with a change of a place that waits to be confirmed, each with when the first one is due, by
  /// boot time; where it has to be looked for, the beginning of time.
  var crossing: [String: Int64] = [:]
  /// Those with a change of a property that waits to be told; some may have none any more.
  var owing: Set<String> = []
  /// Whether the state is that of these rules.
  private var hasAdopted = false

  /// An engine that begins, or goes on from a state.
  public init(_ configuration: HomeConfiguration, _ state: HomeState = HomeState()) {
    self.configuration = configuration
    self.state = state
    index = RuleIndex(configuration)
  }

  /// The same with another configuration: rules and places that did not change keep their state.
  public func reloaded(_ configuration: HomeConfiguration) -> HomeEngine {
    HomeEngine(configuration, state)
  }

  /// Takes an input.
  ///
  /// - Returns: what is to be done, in its order, and when something is due at the latest: by boot
  ///   time, µs; a step at that time or later has it happen.
  public mutating func step(
    _ input: HomeInput, at moment: Moment
  ) -> (effects: [HomeEffect], wakeAt: Int64?) {
    effects = []
    firingsNow = [:]
    state.input += 1
    if !hasAdopted { adoptRules() }
    if case .start = input { restart(at: moment) }
    // Boot time never goes back but at a restart.
    now = Moment(wall: moment.wall, boot: max(moment.boot, state.last?.boot ?? moment.boot))
    endStall()
    // What was due before comes before; what is due at this moment comes after the input.
    if state.nextDue < now.boot { runDue(before: now.boot) }
    take(input)
    if state.nextDue <= now.boot { runDue(before: now.boot + 1) }
    runClock()
    state.last = now
    return (effects, wakeAt)
  }

  /// Forgets what is known of a tracker.
  mutating func forget(_ tracker: String) {
    state.trackers[tracker] = nil
    crossing[tracker] = nil
    owing.remove(tracker)
  }

  /// The tracker of an id.
  func tracker(_ id: String) -> TrackerEntry? {
    index.tracker(id).map { configuration.trackers[$0] }
  }

  private var wakeAt: Int64? {
    var wake = state.nextDue
    if state.nextOccurrence < .max / 2_000_000 {
      wake = min(wake, now.boot + max(0, state.nextOccurrence * 1_000_000 - now.wall))
    }
    return wake == .max ? nil : wake
  }

  private mutating func take(_ input: HomeInput) {
    switch input {
    case .start: trigger { if case .system("start") = $0 { true } else { false } }
    case .clock: break
    case .fix(let tracker, let fix): take(fix, of: tracker)
    case .frame(let tracker, let rssi, _):
      heardSomebody()
      heard(tracker, rssi)
    case .alive: heardSomebody()
    case .receiver(let isScanning): setReceiver(isScanning)
    case .value(let tracker, let property, let value):
      setProperty(property, of: tracker, value, chain: nil)
    case .message(let name):
      trigger { if case .message(name) = $0 { true } else { false } }
    case .system(let event):
      trigger { if case .system(event) = $0 { true } else { false } }
    case .watch(let grade):
      let order = ["possible", "notice", "suspect", "alarm"]
      let reached = order.firstIndex(of: grade) ?? -1
      trigger {
        if case .watch(let least) = $0 {
          reached >= order.firstIndex(of: least) ?? .max
        } else {
          false
        }
      }
    case .snooze(let rule, let until): state.rules[rule]?.snoozedUntil = until
    case .run(let id):
      guard let rule = configuration.rules.first(where: { $0.id == id }) else { return }
      run(rule, HomeCause(trigger: "run", input: state.input, tracker: nil, detail: ""))
    }
  }

  /// Starts the rules that have a trigger of no tracker.
  private mutating func trigger(_ matches: (Trigger) -> Bool) {
    for rule in configuration.rules {
      for trigger in rule.triggers where matches(trigger) {
        start(rule, HomeCause(trigger: trigger.name, input: state.input, tracker: nil, detail: ""))
      }
    }
  }

  /// Rules that are new or say something else begin anew; those that are gone are forgotten.
  private mutating func adoptRules() {
    hasAdopted = true
    for (id, tracker) in state.trackers {
      if tracker.places.contains(where: { $0.value.since != nil }) { crossing[id] = .min }
      if tracker.properties.contains(where: { $0.value.owes }) { owing.insert(id) }
    }
    if index.hashes.count == state.rules.count,
      index.hashes.allSatisfy({ state.rules[$0.key]?.hash == $0.value })
    {
      return adoptClock()
    }
    var rules: [String: RuleState] = [:]
    for rule in configuration.rules {
      let known = state.rules[rule.id]
      rules[rule.id] = known?.hash == rule.hash ? known : made(rule)
    }
    state.rules = rules
    state.waiting.removeAll { rules[$0.rule]?.hash != $0.hash }
    state.nextOccurrence = 0
    state.nextDue = 0
  }

  /// The box may be in another time zone, of which no rule says anything: what is next may come sooner than it did.
  private mutating func adoptClock() {
    guard let last = state.last else { return }
    for place in index.times {
      let rule = configuration.rules[place.rule]
      guard case .time(let trigger) = rule.triggers[place.trigger],
        let looked = state.rules[rule.id]?.lookedTo,
        let next = trigger.next(after: min(looked, last.seconds))
      else { continue }
      state.nextOccurrence = min(state.nextOccurrence, next)
    }
  }

  /// A rule that is new: what its properties were when last known is before what it waits for.
  private func made(_ rule: Rule) -> RuleState {
    var made = RuleState(hash: rule.hash)
    for (number, trigger) in rule.triggers.enumerated() {
      guard case .property(let who, let name, let comparison, _) = trigger else { continue }
      for tracker in configuration.meant(by: who) {
        guard let known = state.trackers[tracker.id]?.properties[name] else { continue }
        made.held["\(number) \(tracker.id)"] = comparison.holds(known.value)
      }
    }
    return made
  }

  /// A new process, and perhaps a machine that started anew: boot times of before are moved, and
  /// all that had to last begins anew.
  private mutating func restart(at moment: Moment) {
    guard let last = state.last else { return }
    let gone = max(0, moment.wall - last.wall)
    let shift = moment.boot - last.boot - gone
    state.last = moment
    for id in state.trackers.keys.sorted() {
      state.trackers[id]?.restart(shift: shift, now: moment.boot)
    }
    for id in state.rules.keys.sorted() {
      state.rules[id]?.restart(shift: shift, now: moment.boot)
    }
    crossing = crossing.mapValues { _ in .min }
    state.receiver.isDead = true
    state.receiver.lastAlive = nil
    for index in state.waiting.indices { state.waiting[index].due += shift }
    // A wait goes on when it is at most ten minutes late.
    state.waiting.removeAll { moment.boot - $0.due > 600_000_000 }
    state.nextDue = 0
  }

  /// A process that was stopped has heard nobody meanwhile: silence of that time is no sign.
  private mutating func endStall() {
    guard let last = state.last else { return }
    let expected = min(wakeBound(last), now.boot)
    guard now.boot - max(expected, last.boot) > 2_000_000 else { return }
    for tracker in configuration.trackers {
      guard var presences = state.trackers[tracker.id]?.presence else { continue }
      for limit in presences.keys.sorted() where presences[limit]?.silentSince != nil {
        presences[limit]?.silentSince = now.boot
      }
      state.trackers[tracker.id]?.presence = presences
    }
  }

  /// When a step was asked for.
  private func wakeBound(_ last: Moment) -> Int64 {
    var wake = state.nextDue
    if state.nextOccurrence < .max / 2_000_000 {
      wake = min(wake, last.boot + max(0, state.nextOccurrence * 1_000_000 - last.wall))
    }
    return wake
  }
}
