import LunaStore

/// What is to be kept in one transaction.
struct HomeCommit {
  var records: [HomeRecord] = []
  var messages: [HomeMessage] = []
  /// What is told once it is kept, in its order: who was told of a firing finds it, also after a crash.
  var told: [HomeChange.Event] = []
  /// What is to be done once it is known that it is to be done.
  var requests: [HomeActionRequest] = []
  var outcomes: [HomeOutcome] = []
  var points: [(tracker: String, property: String, point: HomePoint)] = []
  var positions: [(tracker: String, point: HomeTrackPoint)] = []
  var inputs: [(time: Int64, line: String)] = []
  /// What was found of trackers of others, as parts; nil for what is gone.
  var suspects: [String: [UInt8]?] = [:]
  /// How many inputs the rules have taken since the last one.
  var steps = 0

  /// Whether somebody waits for it.
  var isUrgent: Bool {
    !records.isEmpty || !requests.isEmpty || !outcomes.isEmpty || steps >= 1000
  }
}
