import Bluetooth
import LunaCore
import LunaProtocol
import LunaTesting
import Synchronization

@testable import LunaFinder

/// A source that delivers what a test hands it.
final class ScriptedSource: AdvertisementSource {
  let description = SourceDescription(name: "script", simulated: true, explanation: "a script")
  let states: AsyncStream<SourceState>
  private let stateContinuation: AsyncStream<SourceState>.Continuation
  private let lost = Mutex(SourceCounters())
  private let lastLosses = Mutex<@Sendable (inout SourceCounters) -> Void>({ _ in })
  var counters: SourceCounters { lost.withLock { $0 } }
  private let batches: AsyncStream<[AdvertisingReport]>
  private let continuation: AsyncStream<[AdvertisingReport]>.Continuation
  private let iterator: Mutex<AsyncStream<[AdvertisingReport]>.Iterator?>
  private let failure: SourceError?
  private let wanted = Mutex<[ScanRhythm]>([])

  init(failure: SourceError? = nil) {
    self.failure = failure
    (states, stateContinuation) = AsyncStream.makeStream()
    (batches, continuation) = AsyncStream.makeStream()
    iterator = Mutex(nil)
  }

  func start() async throws(SourceError) { if let failure { throw failure } }

  func nextBatch() async throws(SourceError) -> [AdvertisingReport]? {
    for await batch in batches { return batch }
    return nil
  }

  func listen(_ rhythm: ScanRhythm) async { wanted.withLock { $0.append(rhythm) } }
  func stop() async {
    continuation.finish()
    let last = lastLosses.withLock { $0 }
    lose { last(&$0) }
  }

  /// The rhythms that were asked for.
  var rhythms: [ScanRhythm] { wanted.withLock(\.self) }

  func hear(_ reports: [AdvertisingReport]) { continuation.yield(reports) }
  func become(_ state: SourceState) { stateContinuation.yield(state) }
  func lose(_ count: UInt64) { lost.withLock { $0.kernelDrops += count } }
  func lose(_ body: (inout SourceCounters) -> Void) { lost.withLock { body(&$0) } }
  /// Has something lost when it is stopped.
  func losesAtTheEnd(_ body: @escaping @Sendable (inout SourceCounters) -> Void) {
    lastLosses.withLock { $0 = body }
  }
  func end() { continuation.finish() }
}

/// A backend that does what a test says.
final class FakeBackend: EventUploader {
  struct State: Sendable {
    var events: [TrackerEvent] = []
    var batches: [Int] = []
    var confirmations: [CommandConfirmation] = []
    /// What fails next, and what the confirmations are refused with.
    var failures: [BackendError] = []
    var refusal: BackendError?
    /// Commands for the next upload.
    var requests: [CommandRequest] = []
    /// What becomes of events by their place among all.
    var outcome: @Sendable (TrackerEvent) -> EventOutcome = { _ in .accepted }
    /// Whether it could be spoken to with another credential.
    var hasAnotherCredential = false
  }

  let state = Watched(State())

  func upload(_ batch: EventBatch) async throws(BackendError) -> UploadReply {
    let result: Result<UploadReply, BackendError> = state.withLock { state in
      state.batches.append(batch.events.count)
      if !state.failures.isEmpty { return .failure(state.failures.removeFirst()) }
      var outcomes: [EventOutcome] = []
      for event in batch.events {
        let known = state.events.contains(event)
        let outcome = known ? .duplicate : state.outcome(event)
        if outcome == .accepted { state.events.append(event) }
        outcomes.append(outcome)
      }
      defer { state.requests = [] }
      return .success(UploadReply(outcomes: outcomes, commandRequests: state.requests))
    }
    return try result.get()
  }

  func confirm(_ confirmation: CommandConfirmation) async throws(BackendError) {
    let refusal = state.withLock { state in
      state.confirmations.append(confirmation)
      return state.refusal
    }
    if let refusal { throw refusal }
  }

  func hasAnotherCredential() async -> Bool { state.withLock { $0.hasAnotherCredential } }
}

/// A place of which nobody tells anything.
final class Nowhere: LocationSource {
  let description = "nowhere"
  let updates: AsyncStream<LocationUpdate>
  private let continuation: AsyncStream<LocationUpdate>.Continuation

  init() { (updates, continuation) = AsyncStream.makeStream() }

  func start() async {}
  func stop() async { continuation.finish() }
}

/// A queue on a disk that is full.
final class FullQueue: EventQueue {
  /// What there is no room for.
  enum Part {
    case events
    /// What becomes of them, which is remembered.
    case outcomes
  }

  let losses = Mutex<[String: Int]>([:])
  let isOpen = Mutex(false)
  private let memory = InMemoryEventQueue()
  private let refused: Part

  init(refusing part: Part = .events) { refused = part }

  private func check(_ part: Part) throws(DeviceStoreError) {
    if part == refused { throw DeviceStoreError(.full, "the disk is full") }
  }

  func append(
    _ events: [TrackerEvent], at time: Timestamp, isDoubtful: Bool
  ) async throws(DeviceStoreError) {
    try check(.events)
    memory.append(events, at: time, isDoubtful: isDoubtful)
  }
  func next(_ limit: Int) async -> [QueuedEvent] { memory.next(limit) }
  func event(_ id: Int64) async -> QueuedEvent? { memory.event(id) }
  func note(_ crowd: CrowdStatus?) async {}
  func tend(at time: Timestamp) async -> [QueueNotice] { [] }
  func settle(_ settlement: UploadSettlement) async throws(DeviceStoreError) {
    memory.settle(settlement)
    try check(.outcomes)
  }
  func append(_ confirmation: CommandConfirmation, at time: Timestamp) async {}
  func nextConfirmation() async -> QueuedConfirmation? { nil }
  func settleConfirmation(_ id: Int64, refusal: String?) async {}
  func count(dropped reason: String, by number: Int, at time: Timestamp) async {
    losses.withLock { $0[reason, default: 0] += number }
  }
  var waiting: Int { get async { memory.waiting } }
  func status(at now: Timestamp) async -> QueueStatus {
    var status = memory.status(at: now)
    status.unwritten = losses.withLock { $0 }
    return status
  }
  func close() async { isOpen.withLock { $0 = false } }
}

/// Delivers packages by answering at once.
final class FakeRunner: CommandRunner {
  let packages = Mutex<[ControlPackage]>([])
  let outcome: CommandOutcome

  init(_ outcome: CommandOutcome) { self.outcome = outcome }

  func run(_ package: ControlPackage, on device: LocalDevice) async -> CommandOutcome {
    packages.withLock { $0.append(package) }
    guard device.heid == package.heid.description, device.snapshot.address != nil else {
      return CommandOutcome(.failed, detail: "the wrong device")
    }
    return outcome
  }
}

/// A place that does not move.
final class FixedPlace: LocationSource {
  let description = "here"
  let updates: AsyncStream<LocationUpdate>
  private let continuation: AsyncStream<LocationUpdate>.Continuation

  init() { (updates, continuation) = AsyncStream.makeStream() }

  func start() async {
    continuation.yield(.fix(LocationFix(latitude: 52, longitude: 13)))
  }

  func stop() async { continuation.finish() }
}

/// A delegate that remembers.
final class Listener: LunaDelegate {
  let calls = Watched<[String]>([])

  func lunaFinder(didFailWithError error: any Error) {
    calls.withLock { $0.append("error \(error)") }
  }
  func lunaFinder(didChangeState state: FinderState) {
    calls.withLock { $0.append("state \(state)") }
  }
  func lunaFinder(didDrop count: Int, reason: String) {
    calls.withLock { $0.append("dropped \(count) \(reason)") }
  }
  func lunaFinder(didFindHeid heid: String) { calls.withLock { $0.append("found \(heid)") } }
  func lunaFinder(didEnterRegion region: LunaRegion) {
    calls.withLock { $0.append("entered \(region.index)") }
  }
}

/// Keeps what a gateway tells of how it is.
final class HealthSink: TelemetrySink {
  let reports = Watched<[HealthReport]>([])
  var wantsHealth: Bool { true }

  func report(_ health: HealthReport) { reports.withLock { $0.append(health) } }
  func report(_ devices: [DeviceReport]) {}
  func record(_ usage: TelemetryUsage) {}
}

/// All that a run needs.
final class Bench: Sendable {
  let backend = FakeBackend()
  let queue: InMemoryEventQueue
  let runner: FakeRunner
  let sources = Watched<[ScriptedSource]>([])
  let failure: SourceError?

  init(
    limit: Int = 10_000, outcome: CommandOutcome = CommandOutcome(.notReached),
    failure: SourceError? = nil
  ) {
    queue = InMemoryEventQueue(limit: limit)
    runner = FakeRunner(outcome)
    self.failure = failure
  }

  var parts: FinderParts {
    var parts = FinderParts(
      makeRadio: { [self] _ in
        let source = ScriptedSource(failure: failure)
        sources.withLock { $0.append(source) }
        return FinderRadio(source: source, runner: runner)
      }, makeLocation: { _ in FixedPlace() }, openQueue: { [queue] _ in queue },
      makeUploader: { [backend] _ in backend })
    parts.version = "test"
    return parts
  }

  var configuration: LunaConfiguration {
    var configuration = LunaConfiguration(logger: NoLogger())
    configuration.duty = .full
    configuration.maximumCacheSize = 1
    return configuration
  }

  /// The source that is listened to, once it is.
  func source(_ number: Int = 0) async throws -> ScriptedSource {
    try await sources.until { $0.count > number }
    return sources.withLock { $0[number] }
  }
}
