/// Where rules have triggers: looked up at every input.
struct RuleIndex: Sendable {
  /// A trigger of a rule, by their places.
  struct Place: Hashable, Sendable {
    let rule: Int
    let trigger: Int
  }

  /// What each rule says.
  let hashes: [String: String]
  /// By tracker and property.
  private let properties: [String: [String: [Place]]]
  /// For each tracker the least signals that some rule asks for; -127 is that of `present`.
  private let limits: [String: [Int]]
  /// By tracker.
  private let beacons: [String: [Place]]
  /// By tracker, those of `enter` and `exit`.
  private let crossings: [String: [Place]]
  /// By tracker, those of `dwell`, of rules that are off, too.
  private let dwells: [String: [Place]]
  /// Where the trackers stand that have some of `dwell`.
  let dwellers: Set<Int>
  /// The places of the file, the smallest first; of one size in the order of the file.
  let placesBySize: [Int]
  /// Triggers of the clock.
  let times: [Place]
  /// The rules whose triggers have to last.
  let lasting: [Int]
  /// Where the trackers stand, by their ids.
  private let trackers: [String: Int]

  init(_ configuration: HomeConfiguration) {
    hashes = Dictionary(configuration.rules.map { ($0.id, $0.hash) }) { first, _ in first }
    var properties: [String: [String: [Place]]] = [:]
    var beacons: [String: [Place]] = [:]
    var limits: [String: Set<Int>] = [:]
    var times: [Place] = []
    var crossings: [String: [Place]] = [:]
    var dwells: [String: [Place]] = [:]
    for (number, rule) in configuration.rules.enumerated() {
      for (index, trigger) in rule.triggers.enumerated() {
        let place = Place(rule: number, trigger: index)
        if case .crossing(.dwell, let who, _, _) = trigger {
          for tracker in configuration.meant(by: who) {
            dwells[tracker.id, default: []].append(place)
          }
        }
        guard rule.isEnabled else { continue }
        switch trigger {
        case .crossing(let kind, let who, _, _) where kind != .dwell:
          for tracker in configuration.meant(by: who) {
            crossings[tracker.id, default: []].append(place)
          }
        case .property(let who, let name, _, _):
          for tracker in configuration.meant(by: who) {
            properties[tracker.id, default: [:]][name, default: []].append(place)
          }
        case .beacon(_, let who, let least):
          for tracker in configuration.meant(by: who) {
            beacons[tracker.id, default: []].append(place)
            limits[tracker.id, default: []].insert(least)
          }
        case .time: times.append(place)
        default: break
        }
      }
    }
    self.properties = properties
    self.beacons = beacons
    self.limits = limits.mapValues { $0.union([-127]).sorted() }
    self.times = times
    self.crossings = crossings
    self.dwells = dwells
    lasting = configuration.rules.indices.filter { configuration.rules[$0].lasting != nil }
    let trackers = Dictionary(configuration.trackers.enumerated().map { ($1.id, $0) }) {
      first, _ in first
    }
    self.trackers = trackers
    dwellers = Set(dwells.keys.compactMap { trackers[$0] })
    let places = configuration.places
    placesBySize = places.indices.sorted {
      (places[$0].radius, $0) < (places[$1].radius, $1)
    }
  }

  func properties(_ tracker: String, _ name: String) -> [Place] { properties[tracker]?[name] ?? [] }
  func crossings(_ tracker: String) -> [Place] { crossings[tracker] ?? [] }
  func dwells(_ tracker: String) -> [Place] { dwells[tracker] ?? [] }
  func tracker(_ id: String) -> Int? { trackers[id] }
  func beacons(_ tracker: String) -> [Place] { beacons[tracker] ?? [] }
  func limits(_ tracker: String) -> [Int] { limits[tracker] ?? [-127] }
}
