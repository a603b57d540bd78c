import Bluetooth
import Synchronization

/// What a session puts its reports and its troubles into.
final class ScanOutlet: Sendable {
  /// Where the reports go.
  let queue: ReportQueue
  private let heard = Mutex<ContinuousClock.Instant?>(nil)
  private let onFault: @Sendable (SourceError?) -> Void
  private let onPause: @Sendable (String?) -> Void

  /// - Parameters:
  ///   - onFault: Called when the scan has stopped: with an error when that was not intended, without
  ///     one when a recording has come to its end.
  ///   - onPause: Called, at once and on the reactor's thread, when the scan pauses, with the reason,
  ///     and without one when it goes on.
  init(
    queue: ReportQueue, onFault: @escaping @Sendable (SourceError?) -> Void,
    onPause: @escaping @Sendable (String?) -> Void = { _ in }
  ) {
    self.queue = queue
    self.onFault = onFault
    self.onPause = onPause
  }

  /// Queues reports and empties the array.
  func push(
    _ reports: inout [AdvertisingReport], counting body: (inout SourceCounters) -> Void = { _ in }
  ) {
    if !reports.isEmpty { heard.withLock { $0 = .now } }
    queue.push(&reports, counting: body)
  }

  /// Tells that the scan has stopped.
  func fault(_ error: SourceError) { onFault(error) }

  /// Tells that the scan makes room for something else for a while.
  func paused(_ reason: String) { onPause(reason) }

  /// Tells that the scan goes on.
  func resumed() { onPause(nil) }

  /// Tells that there is nothing more to come.
  func ended() { onFault(nil) }

  /// When the last report came.
  var lastHeard: ContinuousClock.Instant? { heard.withLock { $0 } }
}
