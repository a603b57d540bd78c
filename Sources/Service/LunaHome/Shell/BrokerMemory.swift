import LunaJSON

/// Of which trackers brokers were told, by this home or one before it, and may keep it still (HOME.md 9). It outlives
/// the process: who is taken out of the file while no home runs is taken back by the next one, and nothing that others
/// tell.
struct BrokerMemory: Hashable, Codable, Sendable {
  /// Its name among the parts that a home keeps.
  static let part = "broker"

  /// The levels of trackers, by what their topics begin with, by the broker's host and port.
  private var told: [String: [String: [String]]] = [:]

  init() {}

  /// What was kept; nothing where that cannot be read.
  init(kept bytes: [UInt8]?) {
    self.init()
    guard let bytes,
      let memory = try? StateDecoder.read(BrokerMemory.self, JSONReader.read(bytes))
    else { return }
    self = memory
  }

  /// It as it is kept.
  var bytes: [UInt8]? { HomeState.bytes(self) }

  /// Of whom a broker may have been told, by what the topics begin with.
  func levels(at broker: String) -> [String: Set<String>] {
    (told[broker] ?? [:]).mapValues { Set($0) }
  }

  /// A broker is told of these as well.
  mutating func add(_ levels: Set<String>, under base: String, at broker: String) {
    let all = levels.union(told[broker]?[base] ?? [])
    told[broker, default: [:]][base] = all.sorted()
  }

  /// A broker has these alone: what else it was told of was taken back.
  mutating func settle(_ levels: Set<String>, under base: String, at broker: String) {
    told[broker] = [base: levels.sorted()]
  }
}
