import Diagnosis
import LunaCore

/// Sending everything that waits, as a value: it takes what happens and tells what to do. Items go only by
/// their own result. A batch that the backend does not take is halved, down to the one at fault: at once where
/// it says why or somebody waits for it, else by smaller batches from one attempt to the next.
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
  /// Where the others are looked for once the first was refused, in eighths of what is left: far from each
  /// other, since those that nobody takes may have been recorded one after the other.
  private static let probes = [8, 4, 2, 6, 1, 3, 5]

  /// What was done.
  private(set) var report = FlushReport()

  private var entries: [QueuedTelemetry] = []
  /// Whether more may wait than was loaded.
  private var hasMore = false
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

  private var size: Int
  private let isPatient: Bool

  /// - Parameters:
  ///   - hasHealth: whether there is a report of health to be sent along.
  ///   - size: how many are sent at a time. With fewer than may be, health waits until others have passed.
  ///   - isPatient: whether a batch is halved at once that is refused without a reason.
  init(hasHealth: Bool, size: Int = TelemetryUpload.itemLimit, isPatient: Bool = true) {
    isHealthWaiting = hasHealth
    self.size = size
    self.isPatient = isPatient
  }

  /// What to do first.
  var first: Action { .load(TelemetryUpload.itemLimit) }

  mutating func take(_ event: Event) -> [Action] {
    switch event {
    case .loaded(let entries):
      self.entries = entries
      hasMore = entries.count >= TelemetryUpload.itemLimit
      ranges = batches()
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

  /// Batches of the size at most, with as many samples as fit into a body; the last first.
  private func batches() -> [Range<Int>] {
    var (batches, start, samples) = ([Range<Int>](), 0, 0)
    for (index, entry) in entries.enumerated() {
      if index - start == size {
        batches.append(start..<index)
        (start, samples) = (index, 0)
      }
      guard case .sample = entry.content else { continue }
      if samples == TelemetryUpload.sampleLimit {
        batches.append(start..<index)
        (start, samples) = (index, 0)
      }
      samples += 1
    }
    if start < entries.count { batches.append(start..<entries.count) }
    return batches.reversed()
  }

  private mutating func next() -> [Action] {
    if let range = ranges.popLast() {
      current = range
      sendsHealth =
        isHealthWaiting && (range.isEmpty || hasPassed || size >= TelemetryUpload.itemLimit)
      if sendsHealth { isHealthWaiting = false }
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
    return [hasMore ? first : .end(.done)]
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
    if size < TelemetryUpload.itemLimit, !ranges.isEmpty {
      // What was in doubt is not any more.
      size *= 2
      entries = ranges.reversed().flatMap { entries[$0] }
      ranges = batches()
    }
    let isNews = !settlement.stored.isEmpty || !settlement.refused.isEmpty
    return (isNews ? [.settle(settlement)] : []) + next()
  }

  private mutating func refused(_ error: BackendError) -> [Action] {
    let code = error.status == 413 ? "tooLarge" : "malformed"
    if !isPatient, !error.isExplained, !hasPassed, current.count > 1 || sendsHealth && size > 1 {
      return [.end(.refused(FlushMachine.unproven(code), count: max(2, current.count)))]
    }
    if current.isEmpty, !error.isExplained {
      return [.end(.failed(FlushMachine.unproven(code)))]
    }
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
    let id = entries[current.lowerBound].id
    if error.isExplained || hasPassed {
      report.setAside += 1
      return [.settle(TelemetrySettlement(refused: [id: code]))] + next()
    }
    suspects[id] = code
    guard suspects.count < FlushMachine.suspectLimit else {
      return [.end(.failed(FlushMachine.unproven(code)))]
    }
    takeOut()
    return next()
  }

  /// Lets one by itself, of those that are far from what was refused, be the next.
  private mutating func takeOut() {
    let left = ranges.reduce(0) { $0 + $1.count }
    guard left > 0 else { return }
    var place = min(left - 1, left * FlushMachine.probes[suspects.count - 1] / 8)
    for index in ranges.indices.reversed() {
      let range = ranges[index]
      guard place >= range.count else {
        let one = range.lowerBound + place
        let others = [one + 1..<range.upperBound, range.lowerBound..<one].filter { !$0.isEmpty }
        ranges.replaceSubrange(index...index, with: others)
        ranges.append(one..<one + 1)
        return
      }
      place -= range.count
    }
  }
}
