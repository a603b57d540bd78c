import BlueZ
import Bluetooth
import Synchronization

/// One listener of a ``SharedRadio``: a queue of its own, so that who is slow loses reports alone.
final class SharedSource: AdvertisementSource {
  private struct State {
    var source: (any AdvertisementSource)?
    var description = SourceDescription(name: "radio", simulated: false, explanation: "")
    /// What the sources before have counted, and what the present one had when this began to listen.
    var earlier = SourceCounters()
    var before = SourceCounters()
    var rhythm = ScanRhythm.steady
    var mode: ScanMode
    var otherwise: ScanMode?
  }

  private let radio: SharedRadio
  private let queue = ReportQueue(capacity: ScanOptions().queueCapacity)
  private let broadcast = StateBroadcast()
  private let state: Mutex<State>

  /// - Parameter otherwise: the mode that does as well where the radio has not that one.
  init(_ radio: SharedRadio, _ mode: ScanMode, otherwise: ScanMode? = nil) {
    self.radio = radio
    state = Mutex(State(mode: mode, otherwise: otherwise))
  }

  /// Whether scan responses are wanted.
  var mode: ScanMode { state.withLock(\.mode) }

  /// Does from now on with the mode that does as well; whether there is one.
  func givesWay() -> Bool {
    state.withLock { state in
      guard let otherwise = state.otherwise else { return false }
      state.mode = otherwise
      state.otherwise = nil
      return true
    }
  }

  var description: SourceDescription {
    state.withLock { $0.source?.description ?? $0.description }
  }

  var states: AsyncStream<SourceState> { broadcast.stream }

  var counters: SourceCounters {
    var counters = state.withLock { SharedSource.count($0) }
    let dropped = queue.counters.queueDrops
    counters.queueDrops &+= dropped
    counters.reports = queue.counters.reports
    return counters
  }

  private static func count(_ state: borrowing State) -> SourceCounters {
    var counters = state.earlier
    if state.rhythm != .paused, let source = state.source {
      var present = source.counters
      present.subtract(state.before)
      counters.add(present)
    }
    return counters
  }

  func start() async throws(SourceError) { try await radio.join(self) }

  func nextBatch() async throws(SourceError) -> [AdvertisingReport]? { try await queue.next() }

  func listen(_ rhythm: ScanRhythm) async {
    state.withLock { state in
      state.earlier = SharedSource.count(state)
      state.rhythm = rhythm
      state.before = state.source?.counters ?? SourceCounters()
    }
    await radio.settle()
    // With others the radio itself goes on.
    if state.withLock({ $0.source != nil && $0.rhythm == rhythm }) {
      broadcast.send(rhythm == .paused ? .paused : .scanning)
    }
  }

  /// When it listens; what others hear meanwhile it hears too, unless it pauses.
  var rhythm: ScanRhythm { state.withLock(\.rhythm) }

  func stop() async {
    queue.finish()
    await radio.leave(self)
    broadcast.finish()
  }

  /// Reports come from this source from now on.
  ///
  /// - Parameter before: what it had counted for others.
  func hear(_ source: any AdvertisementSource, after before: SourceCounters) {
    state.withLock { state in
      state.earlier = SharedSource.count(state)
      state.before = before
      state.source = source
    }
    broadcast.send(.scanning)
  }

  /// Whether reports come from this source.
  func hears(_ source: any AdvertisementSource) -> Bool {
    state.withLock { $0.source === source }
  }

  func take(_ batch: [AdvertisingReport]) {
    guard rhythm != .paused else { return }
    var batch = batch
    queue.push(&batch)
  }

  func tell(_ change: SourceState) { broadcast.send(change) }

  /// A source could not begin that is described so.
  func note(_ description: SourceDescription) {
    state.withLock { $0.description = description }
  }

  /// Nothing more will come.
  func end(_ error: SourceError?) {
    queue.finish(error)
    if error == nil { broadcast.finish() }
  }
}
