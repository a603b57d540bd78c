package import LunaClient
import LunaCore
package import LunaHome

/// What is still to go out (HOME.md 7). A value: it takes what happens and says what to do.
///
/// Of a channel one shipment is under way at a time. The first message of a rule goes at once, those
/// shortly after it go as one; what is too much within an hour, or waited for the end of quiet hours,
/// becomes a digest.
package struct Outbox: Sendable {
  /// What is to be done.
  package enum Step: Hashable, Sendable {
    /// Send this, and tell what came of it.
    case send(Shipment)
    /// Write this down.
    case settle(Settlement)
    /// Nothing until then, µs since 1970.
    case wait(until: Int64)
    /// Nothing until something happens.
    case rest
  }

  /// Whom messages are for that can go out as one.
  private struct Group: Hashable {
    let contact: String
    let rule: String
    let level: Message.Level

    init(_ entry: OutboxEntry) {
      contact = entry.contact
      rule = entry.message.rule
      level = entry.message.level
    }
  }

  /// What goes out over one channel, or to one server.
  private struct Lane {
    var entries: [OutboxEntry] = []
    var isBusy = false
    var retryAt: Int64 = .min
    var backOff = Outbox.backOff
    /// How often an entry was tried since the program began.
    var entryBackOffs: [Int64: BackOff] = [:]
    /// When messages went out within the last hour.
    var sent: [Int64] = []
    var lastSent: [Group: Int64] = [:]
    /// What was too much.
    var tooMuch: Set<Int64> = []
  }

  static let backOff = BackOff(base: .seconds(5), cap: .seconds(3600))
  static let hour: Int64 = 3_600_000_000
  /// After this time an entry is given up.
  static let patience: Int64 = 24 * hour
  /// No pause after a failure is longer; a clock that was set back makes it look so.
  private static let longestPause = 2 * hour + hour / 12
  /// So many wait for a channel; of more the oldest are given up, alarms last.
  static let room = 2000
  /// Of so many entries one is made.
  static let largest = 200
  /// So long is the list of their firings at most: servers refuse a field of a head of more than 8 KiB.
  static let longestList = 7000

  /// How people are told now.
  package var settings: NotificationSettings
  private var lanes: [String: Lane] = [:]

  package init(_ settings: NotificationSettings) { self.settings = settings }

  /// How many wait.
  package var count: Int { lanes.values.reduce(0) { $0 + $1.entries.count } }

  /// Whether an entry waits, or is under way.
  package func contains(_ entry: OutboxEntry) -> Bool {
    lanes[entry.lane]?.entries.contains { $0.id == entry.id } ?? false
  }

  /// Takes an entry, after those that came before.
  package mutating func add(_ entry: OutboxEntry) {
    lanes[entry.lane, default: Lane()].entries.append(entry)
  }

  /// Takes note of what went out before the program began.
  package mutating func remember(_ entry: OutboxEntry, sentAt time: Int64) {
    guard !entry.isAlone else { return }
    var lane = lanes[entry.lane] ?? Lane()
    if lane.sent.last != time { lane.sent.append(time) }
    lane.lastSent[Group(entry)] = time
    lanes[entry.lane] = lane
  }

  /// What to do now; a shipment that it gives is under way from here on.
  package mutating func next(at now: Int64) -> Step {
    var wake = Int64.max
    for name in lanes.keys.sorted() {
      guard var lane = lanes[name] else { continue }
      let step = next(in: &lane, name, at: now, &wake)
      let isEmpty = lane.entries.isEmpty && !lane.isBusy && lane.sent.isEmpty
      lanes[name] = isEmpty && lane.retryAt <= now ? nil : lane
      if let step { return step }
    }
    return wake == .max ? .rest : .wait(until: max(wake, now + 1000))
  }

  private func next(
    in lane: inout Lane, _ name: String, at now: Int64, _ wake: inout Int64
  ) -> Step? {
    guard !lane.isBusy else { return nil }
    if let old = giveUp(in: &lane, at: now) { return .settle(old) }
    lane.sent.removeAll { now - $0 >= Outbox.hour || $0 > now }
    lane.lastSent = lane.lastSent.filter {
      now - $0.value < settings.group.microseconds && $0.value <= now
    }
    if lane.retryAt > now + Outbox.longestPause { lane.retryAt = now }
    if lane.retryAt > now, !lane.entries.isEmpty {
      wake = min(wake, lane.retryAt)
      return nil
    }
    // What was tried before lets others pass.
    let order = lane.entries.indices.sorted {
      (lane.entries[$0].attempts, $0) < (lane.entries[$1].attempts, $1)
    }
    for index in order {
      if let time = hold(&lane, index, at: now) {
        wake = min(wake, time)
        continue
      }
      let shipment = shipment(of: lane, name, index, at: now)
      lane.isBusy = true
      return .send(shipment)
    }
    return nil
  }

  /// Until when an entry has to wait; nil when it can go out.
  private func hold(_ lane: inout Lane, _ index: Int, at now: Int64) -> Int64? {
    let entry = lane.entries[index]
    if entry.due > now {
      if entry.isDelayed || entry.due <= now + Outbox.longestPause { return entry.due }
      lane.entries[index].due = now
    }
    guard !entry.isAlone else { return nil }
    if !entry.isAlarm {
      if let end = quietEnd(of: entry, at: now) {
        lane.entries[index].isDelayed = true
        lane.entries[index].since = max(entry.since, end)
        lane.entries[index].due = end
        return end
      }
      if lane.sent.count >= settings.perHour {
        lane.tooMuch.insert(entry.id)
        return (lane.sent.first ?? now) + Outbox.hour
      }
      if entry.isDelayed || lane.tooMuch.contains(entry.id) { return nil }
    }
    guard let last = lane.lastSent[Group(entry)] else { return nil }
    let end = last + settings.group.microseconds
    return end > now ? end : nil
  }

  /// Until when quiet hours hold an entry, µs since 1970; nil where none do.
  private func quietEnd(of entry: OutboxEntry, at now: Int64) -> Int64? {
    guard !entry.isAlone, !entry.isAlarm else { return nil }
    return settings.quietEnd(of: entry.contact, at: now / 1_000_000).map { $0 * 1_000_000 }
  }

  /// What goes out together with an entry that can.
  private func shipment(of lane: Lane, _ name: String, _ index: Int, at now: Int64) -> Shipment {
    let first = lane.entries[index]
    let isDigest = !first.isAlarm && (first.isDelayed || lane.tooMuch.contains(first.id))
    let group = Group(first)
    let entries = lane.entries.filter { entry in
      guard !first.isAlone, !entry.isAlone, entry.due <= now else {
        return entry.id == first.id
      }
      if isDigest {
        return entry.contact == first.contact && !entry.isAlarm
          && (entry.isDelayed || lane.tooMuch.contains(entry.id))
      }
      return Group(entry) == group
    }
    var room = Outbox.longestList
    let fitting = entries.prefix(Outbox.largest).prefix { entry in
      room -= entry.message.firing.utf8.count + 2
      return room >= 0 || entry.id == entries[0].id
    }
    return Shipment(lane: name, entries: Array(fitting), isDigest: isDigest)
  }

  private func giveUp(in lane: inout Lane, at now: Int64) -> Settlement? {
    // Since when one waits that is held by quiet hours is not known any more after a new start.
    let old = lane.entries.filter {
      now - $0.since >= Outbox.patience && quietEnd(of: $0, at: now) == nil
    }
    let tooMany = lane.entries.count - Outbox.room
    guard let first = old.first else {
      guard tooMany > 0 else { return nil }
      let quiet = lane.entries.filter { !$0.isAlarm }
      let oldest = (quiet + lane.entries.filter(\.isAlarm)).prefix(tooMany)
      return give(up: oldest.map(\.id), "more than \(Outbox.room) waited", in: &lane, at: now)
    }
    let last = first.reason.isEmpty ? "" : ": \(first.reason)"
    return give(
      up: old.map(\.id), "it could not be told within 24 hours\(last)", in: &lane, at: now)
  }

  private func give(
    up ids: [Int64], _ reason: String, in lane: inout Lane, at now: Int64
  ) -> Settlement {
    remove(ids, from: &lane)
    return Settlement(
      ids: ids, state: .failed, reason: reason, due: now, at: now, isAttempt: false)
  }

  private func remove(_ ids: [Int64], from lane: inout Lane) {
    let gone = Set(ids)
    lane.entries.removeAll { gone.contains($0.id) }
    lane.tooMuch.subtract(gone)
    for id in ids { lane.entryBackOffs[id] = nil }
  }

  /// What was under way has come to something.
  ///
  /// - Returns: what is to be written down.
  package mutating func ended(
    _ shipment: Shipment, _ outcome: DeliveryOutcome, at now: Int64,
    using generator: inout some RandomNumberGenerator
  ) -> Settlement {
    var lane = lanes[shipment.lane] ?? Lane()
    defer { lanes[shipment.lane] = lane }
    lane.isBusy = false
    let ids = shipment.ids
    func settlement(_ state: Settlement.State, _ reason: String, due: Int64) -> Settlement {
      Settlement(ids: ids, state: state, reason: reason, due: due, at: now, isAttempt: true)
    }
    switch outcome {
    case .delivered:
      if let first = shipment.entries.first, !first.isAlone {
        lane.sent.append(now)
        lane.lastSent[Group(first)] = now
      }
      lane.backOff.succeed()
      remove(ids, from: &lane)
      return settlement(.sent, "", due: now)
    case .refused(let reason), .gone(let reason):
      remove(ids, from: &lane)
      return settlement(.failed, reason, due: now)
    case .failed(let reason, let asked):
      let seconds = asked.map { Int(clamping: $0.components.seconds) }
      lane.retryAt = now + lane.backOff.fail(retryAfter: seconds, using: &generator).microseconds
      // One that fails again and again lets others pass.
      var own = lane.entryBackOffs[ids.first ?? 0] ?? Outbox.backOff
      let due = max(lane.retryAt, now + own.fail(using: &generator).microseconds)
      for id in ids { lane.entryBackOffs[id] = own }
      for index in lane.entries.indices where ids.contains(lane.entries[index].id) {
        lane.entries[index].due = due
        lane.entries[index].attempts += 1
        lane.entries[index].reason = reason
      }
      return settlement(.waiting, reason, due: due)
    }
  }
}

extension Duration {
  fileprivate var microseconds: Int64 {
    components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
  }
}
