import LunaOwner
import LunaProtocol

/// Whether what an owner has got of a tracker is what the gateway has heard.
struct DemoCheck {
  /// How many different identifiers the tracker had.
  let names: Int
  /// What is wrong; nil when nothing is.
  let problem: String?
  private let count: Int

  var isComplete: Bool { problem == nil }

  init(_ found: FoundEvents, of tally: DemoGateway.Tally) {
    self.init(
      stored: found.events.map(\.heid), names: Set(found.events.map(\.eid)).count,
      doubts: found.unopened.isEmpty && found.implausible == 0 ? nil : found.summary, of: tally)
  }

  /// - Parameters:
  ///   - stored: what each event was filed under.
  ///   - doubts: what is wrong with some of them.
  init(stored: [HEID], names: Int, doubts: String?, of tally: DemoGateway.Tally) {
    count = stored.count
    self.names = names
    guard doubts == nil else {
      problem = "not all reports can be opened and believed: \(doubts ?? "")"
      return
    }
    var counts: [HEID: Int] = [:]
    for heid in stored { counts[heid, default: 0] += 1 }
    let sent = tally.sightings.filter { counts[$0.key] != nil }
    let hasAll = tally.lost > 0 || counts == sent
    problem =
      hasAll
      ? nil
      : "the gateway sent \(sent.values.reduce(0, +)) reports, and \(count) are with the backend"
  }

  /// A line about it.
  func text(_ name: String) -> String {
    let names = names == 1 ? "one name" : "\(names) names that nobody else can connect"
    return "\(name): \(count) positions, sent under \(names); each is there once"
  }
}
