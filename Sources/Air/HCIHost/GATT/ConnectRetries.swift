package import Bluetooth
import Diagnosis

/// Decides whether an attempt to connect is made again, and when.
package struct ConnectRetries: Sendable {
  /// The waits before attempts after the first; the last one is repeated. An aborted attempt mostly
  /// works at once when made again.
  package static let delays: [Duration] = [
    .zero, .milliseconds(250), .milliseconds(500), .seconds(1), .seconds(2),
  ]

  private var failures = 0

  package init() {}

  /// The number of the next attempt, from 1 on.
  package var attempt: Int { failures + 1 }

  /// An attempt failed.
  ///
  /// - Parameter left: until the limit.
  /// - Returns: how long to wait before the next attempt; nil when it is of no use, or too late.
  package mutating func pause(after error: GATTError, left: Duration) -> Duration? {
    switch error.kind {
    case .outOfRange, .abortedLocally, .abortedByPeer, .busy: break
    case .notFound, .refused, .timedOut, .malformed, .adapterLost, .daemonRestarted: return nil
    }
    let delay = ConnectRetries.delays[min(failures, ConnectRetries.delays.count - 1)]
    failures += 1
    return delay < left ? delay : nil
  }

  /// An attempt failed: waits until the next one, when there is one.
  ///
  /// - Parameter progress: told that it goes on.
  /// - Throws: why the attempt failed, when another is of no use, or has no time: of that one nothing would be learnt.
  package mutating func wait(
    after error: GATTError, to peer: GATTPeer, until deadline: ContinuousClock.Instant,
    _ progress: @Sendable (String) -> Void
  ) async throws(GATTError) {
    guard let pause = pause(after: error, left: deadline - .now) else { throw error }
    progress("could not connect to \(peer): \(error.reason); trying again")
    try? await Task.sleep(for: pause)
    guard .now < deadline else { throw error }
  }
}
