import UplinkProtocol

/// A check by pairs of slots, on a thread that may wait.
struct PairRun {
  /// How long it is waited for a server that has not counted all yet, again and again twice as long.
  private static let pauses = (first: Duration.milliseconds(20), last: Duration.milliseconds(320))
  /// No slot is smaller, bytes.
  static let least = 64 << 10
  /// How long a slot is to last, s; the counted part of it says something then.
  private static let wanted = 0.15
  /// How many pairs there are at most, how many where there is an aim, and how many where data does not suffice.
  static let pairs = (all: 16, aimed: 64, least: 10)

  /// With less data no check of so many pairs can be made, bytes.
  static func leastBudget(of pairs: Int) -> Int { least * (2 * pairs + 2) }

  let client: PairClient
  let profile: BuiltInProfile
  let direction: SlotDirection
  let tally: SlotTally
  let tell: @Sendable (PairClient.Moment) -> Void

  /// Makes it.
  func run(seed: UInt64, _ waiting: SocketWait) throws(ReplayError) -> CheckFinding {
    var check = PairedCheck(profile.slotMeasure, seed: seed, aim: client.aim, pairs: client.pairs)
    let pairs = client.most
    let hello = SessionRequest.hello(
      version: 1, profile: profile.rawValue, direction: direction.rawValue, pairs: pairs,
      slotBytes: max(PairRun.least, client.budget / (2 * pairs + 2)), slotSeconds: 1.5)
    let (link, allowed) = try HostLink.begin(client, profile, hello, waiting, tell: tell)
    // What is said at the end, or before an end that nobody wanted.
    defer { tally.add(link.spent()) }
    let most = min(client.budget, allowed)
    var bytes = max(PairRun.least, most / (2 * pairs + 2))
    var warm: [SlotRecord] = []
    var count = ServerCount()
    var spent = (wanted: 0, carried: 0)
    var rate: Double?
    while true {
      // Both slots of a pair are of one size.
      if check.done % 2 == 0 {
        PairRun.fit(&bytes, spent, slots: check.planned - check.done, most)
      }
      let kind = check.next()
      tell(
        .slot(
          kind, done: check.done, of: check.planned, left: max(0, most - spent.carried), rate: rate)
      )
      let order =
        profile == .command
        ? SlotOrder(check.done + 1, kind, .down, bytes: CommandSlot.bytes)
        : SlotOrder(check.done + 1, kind, direction, bytes: bytes)
      let made = try slot(order, link, &count, waiting)
      let said = link.spent()
      tally.add(said)
      let record = made.carrying(more: said)
      spent.wanted += record.bytes
      spent.carried += record.carried
      if profile != .command, case .measured(let value) = record.outcome { rate = value }
      if warm.count < 2 {
        warm.append(record)
        if warm.count == 2 { grow(&bytes, after: warm, most, &check) }
      }
      var finding: CheckFinding?
      do throws(StatisticsError) {
        finding = try check.take(record)
      } catch {
        throw ReplayError(error)
      }
      finding?.isDisputed = count.isDisputed
      guard let finding else { continue }
      link.leave()
      return finding
    }
  }

  private func slot(
    _ order: SlotOrder, _ link: HostLink, _ count: inout ServerCount, _ waiting: SocketWait
  ) throws(ReplayError) -> SlotRecord {
    let token = try link.token(for: order)
    let (place, name) = (client.place, client.name(of: order.kind, profile))
    tally.begin()
    let record: SlotRecord
    if profile == .command {
      var run = CommandRun(place: place, order: order, token: token, name: name, waiting: waiting)
      run.tally = tally
      record = try run.run()
    } else {
      var run = SlotRun(place: place, order: order, token: token, name: name, waiting: waiting)
      run.tally = tally
      record = try run.run()
    }
    tally.add(record.carried)
    var receipt = try link.end(order.number)
    // What went is known of slots that did not fail; what comes may still be on its way.
    guard order.direction == .up, record.outcome != .failed else { return record }
    var pause = PairRun.pauses.first
    while count.isEarly(receipt.bytes, of: record.arrived), pause <= PairRun.pauses.last {
      try waiting.pause(pause)
      receipt = try link.end(order.number)
      pause *= 2
    }
    count.add(receipt.bytes, of: record.arrived)
    return record
  }

  /// Where the link carries more than was wanted, as what is lost goes again, the slots that are left are smaller.
  static func fit(
    _ bytes: inout Int, _ spent: (wanted: Int, carried: Int), slots: Int, _ most: Int
  ) {
    guard slots > 0, spent.carried > spent.wanted, spent.wanted > 0 else { return }
    let room = Double(max(0, most - spent.carried)) / Double(slots)
    let share = Double(spent.wanted) / Double(spent.carried)
    bytes = max(PairRun.least, min(bytes, Int(room * share)))
  }

  /// On a fast link slots are larger, and pairs fewer where the data does not suffice.
  private func grow(
    _ bytes: inout Int, after warm: [SlotRecord], _ most: Int, _ check: inout PairedCheck
  ) {
    guard let rate = warm.compactMap(\.fastest).max() else { return }
    let wanted = Int(min(rate * PairRun.wanted, 1e9))
    guard wanted > bytes else { return }
    let room = most / (2 * PairRun.pairs.least + 2)
    guard room > bytes else { return }
    bytes = min(wanted, room)
    check.keep(to: (most / bytes - 2) / 2)
  }
}
