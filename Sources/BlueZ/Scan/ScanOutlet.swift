import Bluetooth
import Synchronization

/// What a session puts its reports and its troubles into.
final class ScanOutlet: Sendable {
  /// Where the reports go.
  let queue: ReportQueue
  private let heard = Mutex<ContinuousClock.Instant?>(nil)
  private let onFault: @Sendable (SourceError?) -> Void

  /// - Parameter onFault: Called when the scan has stopped: with an error when that was not
  ///   intended, without one when a recording has come to its end.
  init(queue: ReportQueue, onFault: @escaping @Sendable (SourceError?) -> Void) {
    self.queue = queue
    self.onFault = onFault
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

  /// Tells that there is nothing more to come.
  func ended() { onFault(nil) }

  /// When the last report came.
  var lastHeard: ContinuousClock.Instant? { heard.withLock { $0 } }
}
