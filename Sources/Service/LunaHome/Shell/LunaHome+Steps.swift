import Diagnosis
import Glibc
import LunaCore
import LunaJSON
import LunaStore

// From inputs to effects, and from effects to what is kept, told and done.

extension LunaHome {
  /// Has the rules take inputs, all at this moment.
  func take(_ inputs: [HomeInput]) {
    guard var engine, !inputs.isEmpty else { return }
    let moment = now
    // It is moved, not copied.
    self.engine = nil
    var happened: [HomeEffect] = []
    var wake: Int64?
    func step(_ inputs: [HomeInput]) {
      for input in inputs {
        let (effects, wakeAt) = engine.step(input, at: moment)
        happened += effects
        wake = wakeAt
        pending.steps += 1
        if let line = diary.line(input, at: moment) { pending.inputs.append((moment.wall, line)) }
      }
    }
    step(asClassesSay(inputs))
    step(valuesOfClasses(after: inputs, engine.state))
    self.engine = engine
    for effect in happened { handle(effect) }
    for case .fix(let tracker, _) in inputs { tellLocation(of: tracker) }
    for tracker in owedFixes.sorted() { tellLocation(of: tracker) }
    if let told = owedFixes.compactMap({ toldFixes[$0]?.at }).min() {
      wake = min(wake ?? .max, told + LunaHome.locationEvery)
    }
    if wake != wakeAt {
      let isSooner = (wake ?? .max) < (wakeAt ?? .max)
      wakeAt = wake
      if isSooner { waking.ring() }
    }
    // A disk that hangs is not to take all memory.
    if pending.inputs.count > LunaHome.mostInputs {
      pending.inputs.removeFirst(pending.inputs.count - LunaHome.mostInputs / 2)
    }
    markPending()
  }

  private static let mostInputs = 20_000

  /// Something is to be kept: at once where somebody waits for it, else within a second.
  func markPending() {
    if pendingSince == nil {
      pendingSince = clock.elapsed()
      keeping.ring()
    } else if pending.isUrgent {
      keeping.ring()
    }
  }

  private func handle(_ effect: HomeEffect) {
    switch effect {
    case .firing(let firing):
      pending.records.append(
        HomeRecord(
          .firing, rule: firing.rule, firing: firing.id, time: firing.wall, json: effect.json))
      firingCounts[firing.rule, default: 0] += 1
      pending.told.append(.firing(firing))
    case .held(let held):
      pending.records.append(
        HomeRecord(.held, rule: held.rule, time: held.wall, json: effect.json))
      pending.told.append(.held(held))
    case .missed(let rule, _, let wall):
      pending.records.append(HomeRecord(.missed, rule: rule, time: wall, json: effect.json))
    case .change(let tracker, let property, let value, let wall):
      // Of signals a median is kept, which also says when it was heard.
      if property != "rssi", property != "lastSeen" {
        keep(property, of: tracker, value.json, at: wall)
      }
      tell(
        .value(
          tracker: tracker,
          HomeValue(name: property, value: value.json, at: wall, isFresh: true)))
    case .action(let request): ask(request)
    }
  }

  /// Keeps a value of a property.
  func keep(_ property: String, of tracker: String, _ value: JSONValue, at time: Int64) {
    pending.points.append((tracker, property, HomePoint(time: time, value: value)))
    markPending()
  }

  /// Keeps what is pending, again and again, until the home ends.
  func keepOn() async {
    var fails = 0
    while isRunning || pendingSince != nil {
      if pendingSince == nil { await keeping.wait(for: .seconds(3600), by: clock) }
      while isRunning, !pending.isUrgent || fails > 0, let since = pendingSince {
        let rest = Duration.seconds(fails > 0 ? 10 : 1) - (clock.elapsed() - since)
        guard rest > .zero else { break }
        await keeping.wait(for: rest, by: clock)
      }
      guard pendingSince != nil else { continue }
      if await keepOnce() {
        fails = 0
      } else {
        fails += 1
        guard isRunning else { return }
      }
    }
  }

  /// Keeps what is pending, tells it, and has done what was asked for.
  private func keepOnce() async -> Bool {
    let commit = pending
    pending = HomeCommit()
    pendingSince = nil
    let parts = engine.map { keeper.changes(of: $0.state) } ?? [:]
    let outbox = outbox
    do throws(DeviceStoreError) {
      try await store?.transaction { (database: borrowing HomeDatabase) throws(DeviceStoreError) in
        try database.save(parts)
        try database.save(commit.suspects)
        try database.add(commit.records)
        try database.save(commit.outcomes)
        try database.add(inputs: commit.inputs)
        for point in commit.points {
          try database.add(point.point, of: point.property, of: point.tracker)
        }
        for position in commit.positions {
          _ = try database.add(position.point, of: position.tracker)
        }
        if !commit.messages.isEmpty { try outbox?.add(commit.messages, to: database) }
      }
    } catch {
      // The rules go on, and what they ask for is done and told; only its record may be lost.
      keeper.forget()
      tellUnkept(error)
      tell(commit.told)
      retain(commit)
      carryOut(commit.requests)
      return false
    }
    tell(commit.told)
    notice(.storage, nil)
    notice(.diskFull, nil)
    if isStoreLost {
      isStoreLost = false
      keptBrokerMemory = nil
      // What people have made is that of the file that is there now.
      Task { [weak self] in _ = try? await self?.reload() }
    }
    if !commit.messages.isEmpty { outbox?.wake() }
    carryOut(commit.requests)
    return true
  }

  /// What happens cannot be kept; it is tried again until it can.
  func tellUnkept(_ error: DeviceStoreError) {
    if error.kind == .full {
      notice(
        .diskFull,
        "the disk is full: rules go on, and what happens is not kept until there is room")
    } else {
      // What the remedy says to move must not be open.
      let first = error.kind == .damaged ? "; end the home before that" : ""
      notice(.storage, "what happens cannot be kept: \(error)\(first)")
      isStoreLost = isStoreLost || [.damaged, .gone].contains(error.kind)
    }
    if pendingSince == nil { pendingSince = clock.elapsed() }
  }

  /// Has another try at keeping the records; the history of that time is lost.
  private func retain(_ commit: HomeCommit) {
    pending.records = (commit.records + pending.records).suffix(1000)
    pending.outcomes = (commit.outcomes + pending.outcomes).suffix(1000)
    pending.messages = (commit.messages + pending.messages).suffix(1000)
    pending.suspects = commit.suspects.merging(pending.suspects) { _, new in new }
    if pendingSince == nil { pendingSince = clock.elapsed() }
  }

  /// Wakes the rules whenever they ask for it.
  func mindTime() async {
    while isRunning, !Task.isCancelled {
      let now = now
      // The clock on the wall may be set at any time.
      let rest = Duration.microseconds(wakeAt.map { max(0, $0 - now.boot) } ?? 30_000_000)
      if rest > .zero { await waking.wait(for: min(rest, .seconds(30)), by: clock) }
      guard isRunning, !Task.isCancelled else { return }
      if let wakeAt, wakeAt <= self.now.boot {
        take([.clock])
        // Nothing that is due may be asked for twice at once.
        if let next = self.wakeAt, next <= self.now.boot { self.wakeAt = self.now.boot + 1000 }
      } else if rest > .seconds(29) {
        take([.clock])
      }
      flushSignals(all: false)
    }
  }

  /// Drops and puts together what is old, at the start and each hour.
  func mindHistory() async {
    while isRunning, !Task.isCancelled {
      await thin()
      await wipeEndedShares()
      await renewShares()
      guard (try? await clock.sleep(.seconds(3600))) != nil else { return }
    }
  }

  private func thin() async {
    guard let store, let configuration = loaded?.configuration else { return }
    let now = now.wall
    let days = Dictionary(configuration.trackers.map { ($0.id, $0.keepDays) }) { first, _ in first }
    let largest = settings.largest
    do throws(DeviceStoreError) {
      let reached = try await store.transaction {
        (database: borrowing HomeDatabase) throws(DeviceStoreError) in
        try database.dropOld(at: now)
        for tracker in try database.trackers() {
          try database.thin(tracker, before: now - (days[tracker] ?? 90) * 86_400_000_000)
        }
        return try database.makeRoom(within: largest)
      }
      await store.shrink()
      if let reached {
        notice(
          .thinned,
          "there is no more room: of what is older than \(HomeTime.text(reached)) a value an hour "
            + "is kept")
      }
    } catch  where error.kind == .full || error.kind == .damaged {
      tellUnkept(error)
    } catch {
      notice(.storage, "what is old cannot be dropped: \(error.reason)")
    }
  }
}
