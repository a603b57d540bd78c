import Bluetooth
import Glibc
import LunaCore
import LunaFinder
import LunaProtocol
import Synchronization

/// Somebody makes trackers up, from 90 s before ten real ones come: so many reports a second, each identifier
/// sent so often, so far apart, so loud. Real ones are heard every 2 s, at −60 dBm or less.
enum FloodGrid {
  fileprivate static let trackers = 10
  fileprivate static let lead = 90.0

  private static let rates = [100, 300, 1000, 2000, 4000]
  private static let repeats = [1, 2, 3, 5, 6, 10, 20, 50, 100]
  private static let gaps = [100, 500, 1050, 2000, 5000]
  private static let strength: Int8 = -60
  /// Nearer than each of the trackers, and farther than each of them.
  private static let otherStrengths: [Int8] = [-30, -100]
  private static let otherRepeats = [3, 6, 20, 100]
  private static let otherGap = 1050

  /// A line for each flood of a size that is asked for, or of all.
  ///
  /// - Returns: how many tests there were, and how many failed: a flood in which a tracker was reported too late
  ///   or not at all, or too much memory.
  static func run(_ wanted: [Int]) async throws -> (count: Int, failures: Int) {
    let heads = [
      "a second", "times", "s apart", "dBm", "s alive", "reported", "after, s", "at most, s",
      "made up", "believed",
    ]
    print("| \(heads.joined(separator: " | ")) |\n|\(heads.map { _ in "---:|" }.joined())")
    var (count, failures, memory) = (0, 0, 0.0)
    for rate in rates where wanted.isEmpty || wanted.contains(rate) {
      for flood in floods(rate) {
        let outcome = try await run(flood)
        memory = max(memory, outcome.memory)
        count += 1
        if outcome.problem(flood) != nil { failures += 1 }
        print(outcome.line(flood))
      }
    }
    print("\(Int(memory)) MiB of memory at most")
    if memory > 64 { failures += 1 }
    return (count + 1, failures)
  }

  private static func floods(_ rate: Int) -> [Flood] {
    var floods: [Flood] = []
    for repeats in repeats {
      for gap in gaps {
        floods.append(Flood(rate: rate, repeats: repeats, gap: gap, strength: strength))
      }
    }
    for strength in otherStrengths {
      for repeats in otherRepeats {
        floods.append(Flood(rate: rate, repeats: repeats, gap: otherGap, strength: strength))
      }
    }
    return floods
  }

  private static func run(_ flood: Flood) async throws -> Outcome {
    let queue = try FloodQueue()
    var parts = FinderParts(
      makeRadio: { _ in FinderRadio(source: FloodSource(flood, queue)) },
      makeLocation: { _ in FloodPlace() }, openQueue: { _ in queue }, makeUploader: { _ in nil })
    parts.isRecording = true
    var configuration = LunaConfiguration(logger: Silence())
    configuration.duty = .full
    let finder = LunaFinder(parts: parts)
    finder.startMonitoring(configuration: configuration)
    if let failure = await finder.wait() { throw failure }
    return queue.outcome.withLock(\.self)
  }
}

/// How somebody makes identifiers up.
private struct Flood: Sendable {
  let rate: Int
  let repeats: Int
  /// How far apart one is sent, ms.
  let gap: Int
  /// How loud they are, dBm.
  let strength: Int8

  /// How long an identifier is kept alive, s.
  var life: Double { Double((repeats - 1) * gap) / 1000 }

  /// How long a tracker may wait: 30 s from its sixth time on, or 60 s from when it was heard for longer than
  /// those that are made up, where 50 of them reach their sixth time in a second.
  var limit: Double { repeats < 6 || rate / repeats < 50 ? 10 + 30 : life + 60 }
}

/// What came of a flood.
private struct Outcome: Sendable {
  /// How long it took until each tracker was reported, s.
  var delays: [Int: Double] = [:]
  /// How many of the made-up ones were reported, and how many of them without a doubt.
  var madeUp = 0
  var believed = 0
  /// The most memory of the process, MiB.
  var memory = 0.0

  func problem(_ flood: Flood) -> String? {
    if delays.count < FloodGrid.trackers { return "not all" }
    return delays.values.contains { $0 > flood.limit } ? "too late" : nil
  }

  func line(_ flood: Flood) -> String {
    let worst = delays.values.max().map { "\(($0 * 10).rounded() / 10)" } ?? ""
    let cells = [
      "\(flood.rate)", "\(flood.repeats)", "\(Double(flood.gap) / 1000)", "\(flood.strength)",
      "\(flood.life)", "\(delays.count)", worst, "\(flood.limit)", "\(madeUp)", "\(believed)",
    ]
    return "| \(cells.joined(separator: " | ")) |\(problem(flood).map { " \($0)" } ?? "")"
  }
}

/// Sends the flood and the trackers, until all of them are reported or it is too late.
private final class FloodSource: AdvertisementSource {
  private struct State {
    /// Time in ms.
    var time = 0
    var owed = 0.0
    var last = 0
    /// Who is sent in each of the next steps, and how often after that.
    var due: [[(number: Int, rest: Int)]]
    var turn = 0
    var isStopped = false
  }

  let description = SourceDescription(name: "flood", simulated: true, explanation: "a flood")
  let states = AsyncStream<SourceState> { $0.finish() }
  let counters = SourceCounters()
  private let flood: Flood
  private let queue: FloodQueue
  private let state: Mutex<State>

  private static let step = 50
  /// 2028-02-29 00:00:00 UTC.
  private static let start = 1_835_395_200_000_000

  init(_ flood: Flood, _ queue: FloodQueue) {
    self.flood = flood
    self.queue = queue
    let steps = flood.gap / FloodSource.step + 1
    state = Mutex(State(due: Array(repeating: [], count: steps)))
  }

  func start() async throws(SourceError) {}
  func stop() async { state.withLock { $0.isStopped = true } }

  func nextBatch() async throws(SourceError) -> [AdvertisingReport]? {
    queue.outcome.withLock { $0.memory = max($0.memory, residentMemory()) }
    let isOver = queue.outcome.withLock { $0.delays.count == FloodGrid.trackers }
    return state.withLock { state in
      let end = Int((FloodGrid.lead + flood.limit + 10) * 1000)
      guard !state.isStopped, !isOver, state.time < end else { return nil }
      var reports: [AdvertisingReport] = []
      while reports.isEmpty || state.time % 1000 != 0 {
        reports += step(&state)
        guard state.time < end else { break }
      }
      return reports
    }
  }

  private func step(_ state: inout State) -> [AdvertisingReport] {
    var sent = state.due[state.turn]
    state.due[state.turn] = []
    state.owed += Double(flood.rate * FloodSource.step) / Double(1000 * flood.repeats)
    while state.owed >= 1 {
      state.owed -= 1
      state.last += 1
      sent.append((1000 + state.last, flood.repeats))
    }
    let later = (state.turn + state.due.count - 1) % state.due.count
    for (number, rest) in sent where rest > 1 { state.due[later].append((number, rest - 1)) }
    state.turn = (state.turn + 1) % state.due.count
    var reports = sent.map { Self.report($0.number, flood.strength, at: state.time) }
    for tracker in 0..<FloodGrid.trackers {
      let passed = state.time - Int(FloodGrid.lead * 1000) - 150 * tracker
      guard passed >= 0, passed % 2000 == 0 else { continue }
      reports.append(
        Self.report(tracker, tracker.isMultiple(of: 2) ? -60 : Int8(-90 + tracker), at: state.time))
    }
    state.time += FloodSource.step
    return reports
  }

  private static func report(_ number: Int, _ rssi: Int8, at time: Int) -> AdvertisingReport {
    let bytes = frame(number).encoded
    var report = AdvertisingReport(
      time: Timestamp(microseconds: Int64(start + 1000 * time)), adapter: 0,
      address: BluetoothAddress(value: 0xC000_0000_0000 | UInt64(number)), addressType: .random,
      payload: AdvertisingPayload(bytes.indices.map { bytes[$0] }), rssi: rssi)
    report.setLegacyPDU(.advNonconnInd)
    return report
  }

  static func frame(_ number: Int) -> LunaFrame {
    LunaFrame(
      isConnectable: false, isOnboardable: false, isSeparated: false, keyRollingCounter: 0,
      eid: EID(value: UInt64(number) + 1), aotp: AOTP(value: UInt64(number) + 1),
      esf: ESF(value: 0))
  }

  /// How long after a tracker came something was heard.
  static func delay(of tracker: Int, at time: Timestamp) -> Double {
    Double(time.microseconds - Int64(start)) / 1e6 - FloodGrid.lead - 0.15 * Double(tracker)
  }
}

/// Counts what is reported, and keeps nothing.
private final class FloodQueue: EventQueue {
  let outcome = Mutex(Outcome())
  private let trackers: [HEID: Int]

  init() throws {
    var deriver = try ReportKeyDeriver()
    var trackers: [HEID: Int] = [:]
    for number in 0..<FloodGrid.trackers {
      let frame = FloodSource.frame(number)
      trackers[deriver.heid(eid: frame.eid, aotp: frame.aotp)] = number
    }
    self.trackers = trackers
  }

  func append(_ events: [TrackerEvent], at time: Timestamp, isDoubtful: Bool) async {
    outcome.withLock { outcome in
      for event in events {
        guard let tracker = trackers[event.heid] else {
          outcome.madeUp += 1
          if !isDoubtful { outcome.believed += 1 }
          continue
        }
        outcome.delays[tracker] =
          outcome.delays[tracker] ?? FloodSource.delay(of: tracker, at: time)
      }
    }
  }

  func next(_ limit: Int) async -> [QueuedEvent] { [] }
  func event(_ id: Int64) async -> QueuedEvent? { nil }
  func settle(_ settlement: UploadSettlement) async {}
  func append(_ confirmation: CommandConfirmation, at time: Timestamp) async {}
  func nextConfirmation() async -> QueuedConfirmation? { nil }
  func settleConfirmation(_ id: Int64, refusal: String?) async {}
  func count(dropped reason: String, by number: Int, at time: Timestamp) async {}
  func note(_ crowd: CrowdStatus?) async {}
  func tend(at time: Timestamp) async -> [QueueNotice] { [] }
  var waiting: Int { get async { 0 } }
  func status(at now: Timestamp) async -> QueueStatus { QueueStatus() }
  func close() async {}
}

/// A place that does not move.
private final class FloodPlace: LocationSource {
  let description = "here"
  let updates: AsyncStream<LocationUpdate>
  private let continuation: AsyncStream<LocationUpdate>.Continuation

  init() { (updates, continuation) = AsyncStream.makeStream() }

  func start() async { continuation.yield(.fix(LocationFix(latitude: 52, longitude: 13))) }
  func stop() async { continuation.finish() }
}

/// What a flood has to say is counted.
private struct Silence: Logger {
  let level = LogLevel.ERROR
  func write(_ level: LogLevel, _ message: String) {}
}
