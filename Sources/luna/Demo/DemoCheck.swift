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
    count = found.events.count
    names = Set(found.events.map(\.eid)).count
    guard found.unopened.isEmpty, found.implausible == 0 else {
      problem = "not all reports can be opened and believed: \(found.summary)"
      return
    }
    var stored: [HEID: Int] = [:]
    for event in found.events { stored[event.heid, default: 0] += 1 }
    let heard = tally.sightings.filter { stored[$0.key] != nil }
    problem =
      heard == stored || tally.lost > 0
      ? nil
      : "the gateway sent \(heard.values.reduce(0, +)) reports, and \(count) are with the backend"
  }

  /// A line about it.
  func text(_ name: String) -> String {
    let names = names == 1 ? "one name" : "\(names) names that nobody else can connect"
    return "\(name): \(count) positions, sent under \(names); each is there once"
  }
}
