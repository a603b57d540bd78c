import UplinkProtocol

/// A check by pairs of slots, on a thread that may wait.
struct PairRun {
  /// No slot is smaller, bytes.
  static let least = 64 << 10
  /// How long a slot is to last, s; the counted part of it says something then.
  private static let wanted = 0.15
  /// How many pairs there are at most, and how many where data does not suffice for that; and the pair before.
  private static let pairs = (all: 16, aimed: 64, least: 10)

  /// With less data no check can be made, bytes.
  static func leastBudget(aim: PairedCheck.Aim?) -> Int {
    least * (2 * (aim == nil ? pairs.all : pairs.aimed) + 2)
  }

  let client: PairClient
  let profile: BuiltInProfile
  let direction: SlotDirection
  let tell: @Sendable (PairClient.Moment) -> Void

  /// Makes it.
  func run(seed: UInt64, _ waiting: SocketWait) throws(ReplayError) -> CheckFinding {
    let link = try HostLink(to: client.place, token: client.token, waiting)
    var check = PairedCheck(profile.slotMeasure, seed: seed, aim: client.aim)
    let pairs = client.aim == nil ? PairRun.pairs.all : PairRun.pairs.aimed
    let most = try min(client.budget, begin(link, pairs))
    var bytes = max(PairRun.least, most / (2 * pairs + 2))
    var warm: [SlotRecord] = []
    while true {
      let kind = check.next()
      tell(.slot(kind, done: check.done, of: check.planned))
      let order = SlotOrder(check.done + 1, kind, direction, bytes: bytes)
      let record = try slot(order, link, waiting)
      if warm.count < 2 {
        warm.append(record)
        if warm.count == 2 { grow(&bytes, after: warm, most, &check) }
      }
      let finding: CheckFinding?
      do throws(StatisticsError) {
        finding = try check.take(record)
      } catch {
        throw ReplayError(error)
      }
      guard let finding else { continue }
      link.leave()
      return finding
    }
  }

  /// Waits until slots can be made.
  ///
  /// - Returns: how many bytes the server allows.
  private func begin(_ link: HostLink, _ pairs: Int) throws(ReplayError) -> Int {
    let hello = SessionRequest.hello(
      version: 1, profile: profile.rawValue, direction: direction.rawValue, pairs: pairs,
      slotBytes: max(PairRun.least, client.budget / (2 * pairs + 2)), slotSeconds: 1.5)
    return try link.begin(hello) { tell(.queued(place: $0)) }
  }

  private func slot(
    _ order: SlotOrder, _ link: HostLink, _ waiting: SocketWait
  ) throws(ReplayError) -> SlotRecord {
    let token = try link.token(for: order)
    let run = SlotRun(
      place: client.place, order: order, token: token, name: client.name(of: order.kind, profile),
      waiting: waiting)
    let record = try run.run()
    try link.end(order.number)
    return record
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
