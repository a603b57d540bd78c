import Glibc
import UplinkProtocol

/// Something of a replay that waits for sockets and for time.
protocol ReplayPart: AnyObject {
  /// What is waited for.
  var queries: [pollfd] { get }
  /// Until when at most; nil for any time.
  var deadline: ContinuousClock.Instant? { get }

  /// Does what can be done now.
  ///
  /// - Parameter ready: what came of each query.
  /// - Returns: what that is to the session.
  func serve(_ ready: [Int16]) -> [ReplayEvent]
}
