import Diagnosis
import LunaCore

/// Sending everything that waits, as a value: it takes what happens and tells what to do. Items go only by
/// their own result. A batch that the backend does not take is halved, down to the one at fault.
struct FlushMachine: Sendable {
  enum Event: Sendable {
    /// What waits, at most as many as were asked for.
    case loaded([QueuedTelemetry])
    /// The backend took what was sent; what it said of each item.
    case answered([TelemetryOutcome?])
    /// It did not, or there was no answer.
    case failed(BackendError)
  }

  enum Action: Equatable, Sendable {
    /// To get what waits.
    case load(Int)
    /// To send something, with the health or without.
    case send([QueuedTelemetry], health: Bool)
    /// To write down what became of things.
    case settle(TelemetrySettlement)
    /// That is all.
    case end(FlushEnd)
  }

  /// Who refuses everything without saying why, one by one, is not the backend: so many are tried.
  private static let suspectLimit = 8

  /// What was done.
  private(set) var report = FlushReport()

  private var entries: [QueuedTelemetry] = []
  /// What is to be sent of them, the last first.
  private var ranges: [Range<Int>] = []
  private var current = 0..<0
  private var isHealthWaiting: Bool
  private var sendsHealth = false
  /// Whether something was taken, so that what is refused is itself to blame.
  private var hasPassed = false
  /// Those that were refused by themselves while nothing was taken, with codes.
  private var suspects: [Int64: String] = [:]
  private var isUnanswered = false

  /// - Parameter hasHealth: whether there is a report of health to be sent along.
  init(hasHealth: Bool) { isHealthWaiting = hasHealth }

  /// What to do first.
  var first: Action { .load(TelemetryUpload.itemLimit) }

  mutating func take(_ event: Event) -> [Action] {
    switch event {
    case .loaded(let entries):
      self.entries = entries
      ranges = FlushMachine.batches(entries).reversed()
      if ranges.isEmpty, isHealthWaiting { ranges = [0..<0] }
      return next()
    case .answered(let outcomes): return answered(outcomes)
    case .failed(let error):
      guard error.kind == .malformed, error.status == 400 || error.status == 413 else {
        return [.end(.failed(error))]
      }
      return refused(error)
    }
  }

  /// Batches with as many samples as fit into a body.
  private static func batches(_ entries: [QueuedTelemetry]) -> [Range<Int>] {
    var (batches, start, samples) = ([Range<Int>](), 0, 0)
    for (index, entry) in entries.enumerated() {
      guard case .sample = entry.content else { continue }
      if samples == TelemetryUpload.sampleLimit {
        batches.append(start..<index)
        (start, samples) = (index, 0)
      }
      samples += 1
    }
    if start < entries.count { batches.append(start..<entries.count) }
    return batches
  }

  private mutating func next() -> [Action] {
    if let range = ranges.popLast() {
      current = range
      sendsHealth = isHealthWaiting
      isHealthWaiting = false
      return [.send(Array(entries[range]), health: sendsHealth)]
    }
    if let (_, code) = suspects.first {
      return [.end(.failed(FlushMachine.unproven(code)))]
    }
    if isUnanswered {
      return [
        .end(.failed(BackendError(.answer, "the backend did not say what became of every item")))
      ]
    }
    return [entries.count < TelemetryUpload.itemLimit ? .end(.done) : first]
  }

  private static func unproven(_ code: String) -> BackendError {
    BackendError(
      .failed, "everything that is sent is refused, and nobody says why (\(code))",
      remedy: "look whether a proxy is in the way")
  }

  private mutating func answered(_ outcomes: [TelemetryOutcome?]) -> [Action] {
    hasPassed = true
    var settlement = TelemetrySettlement(refused: suspects)
    report.setAside += suspects.count
    suspects = [:]
    var items = outcomes[...]
    for entry in entries[current] {
      guard case .item = entry.content else {
        settlement.stored.append(entry.id)
        report.samples += 1
        continue
      }
      switch items.popFirst() ?? nil {
      case .accepted?:
        settlement.stored.append(entry.id)
        report.accepted += 1
      case .duplicate?:
        settlement.stored.append(entry.id)
        report.duplicates += 1
      case .rejected(let code)?:
        settlement.refused[entry.id] = code
        report.setAside += 1
      case nil: isUnanswered = true
      }
    }
    if sendsHealth { report.sentHealth = true }
    let isNews = !settlement.stored.isEmpty || !settlement.refused.isEmpty
    return (isNews ? [.settle(settlement)] : []) + next()
  }

  private mutating func refused(_ error: BackendError) -> [Action] {
    if sendsHealth {
      // Health is the first under suspicion: what else there is goes without.
      if !current.isEmpty { ranges.append(current) }
      return next()
    }
    guard current.count == 1 else {
      let middle = current.lowerBound + current.count / 2
      ranges += [middle..<current.upperBound, current.lowerBound..<middle]
      return next()
    }
    let code = error.status == 413 ? "tooLarge" : "malformed"
    let id = entries[current.lowerBound].id
    if error.isExplained || hasPassed {
      report.setAside += 1
      return [.settle(TelemetrySettlement(refused: [id: code]))] + next()
    }
    suspects[id] = code
    guard suspects.count < FlushMachine.suspectLimit else {
      return [.end(.failed(FlushMachine.unproven(code)))]
    }
    return next()
  }
}
