import Bluetooth
import Synchronization

/// What a session puts its reports and its troubles into.
final class ScanOutlet: Sendable {
  /// Where the reports go.
  let queue: ReportQueue
  private struct State {
    var traffic: TrafficWatch
    var hasHeard = false
  }

  private let state: Mutex<State>
  private let epoch: ContinuousClock.Instant
  private let onFault: @Sendable (SourceError?) -> Void
  private let onPause: @Sendable (String?) -> Void
  private let onHeard: @Sendable () -> Void

  /// - Parameters:
  ///   - onFault: Called when the scan has stopped: with an error when that was not intended, without
  ///     one when a recording has come to its end.
  ///   - onPause: Called, at once and on the reactor's thread, when the scan pauses, with the reason,
  ///     and without one when it goes on.
  ///   - onHeard: Called with the first report.
  ///   - traffic: What is known of the place's traffic.
  ///   - epoch: The start that the times of `traffic` count from.
  init(
    queue: ReportQueue, onFault: @escaping @Sendable (SourceError?) -> Void,
    onPause: @escaping @Sendable (String?) -> Void = { _ in },
    onHeard: @escaping @Sendable () -> Void = {},
    traffic: TrafficWatch = TrafficWatch(minimum: .seconds(30)),
    since epoch: ContinuousClock.Instant = .now
  ) {
    self.queue = queue
    self.onFault = onFault
    self.onPause = onPause
    self.onHeard = onHeard
    self.epoch = epoch
    state = Mutex(State(traffic: traffic))
  }

  /// Queues reports and empties the array.
  func push(
    _ reports: inout [AdvertisingReport], counting body: (inout SourceCounters) -> Void = { _ in }
  ) {
    let isFirst = !reports.isEmpty && heard()
    queue.push(&reports, counting: body)
    if isFirst { onHeard() }
  }

  private func heard() -> Bool {
    let now = ContinuousClock.now - epoch
    return state.withLock { state in
      state.traffic.heard(at: now)
      defer { state.hasHeard = true }
      return !state.hasHeard
    }
  }

  /// Tells that the scan has stopped.
  func fault(_ error: SourceError) { onFault(error) }

  /// Tells that the scan makes room for something else for a while.
  func paused(_ reason: String) { onPause(reason) }

  /// Tells that the scan goes on.
  func resumed() { onPause(nil) }

  /// Tells that there is nothing more to come.
  func ended() { onFault(nil) }

  /// Nothing can be heard for a while: that is no silence of the place.
  func interrupted() { state.withLock { $0.traffic.interrupted() } }

  /// The place's traffic, with what was heard through this.
  var traffic: TrafficWatch { state.withLock { $0.traffic } }

  /// Whether anything was heard through this.
  var hasHeard: Bool { state.withLock { $0.hasHeard } }
}
