import Glibc

/// What an error of accept(2) means for whoever listens, for one or more sockets that one thread serves: who is gone
/// ends nothing, and where there is no room for another connection it is not asked for one, for a moment.
///
/// ```swift
/// var turns = AcceptTurns()
/// while true {
///   let rest = turns.rest(at: .now)
///   // With a rest, the listening socket is left out.
///   …
///   guard descriptor >= 0 || turns.goOn(after: errno, at: .now) else { return }
/// }
/// ```
public struct AcceptTurns: Sendable {
  /// How long nobody is asked for: whoever wants to connect waits meanwhile.
  private static let pause = Duration.milliseconds(500)

  private var pausedUntil: ContinuousClock.Instant?

  /// Somebody may be accepted.
  public init() {}

  /// Takes an error.
  ///
  /// - Returns: false where the socket listens no more.
  public mutating func goOn(after code: Int32, at now: ContinuousClock.Instant) -> Bool {
    switch code {
    // Nobody waits, or who did is gone: Linux tells of errors of the new connection as well (accept(2)).
    case EINTR, EAGAIN, ECONNABORTED, EPROTO, ENOPROTOOPT, ENETDOWN, ENETUNREACH, EHOSTDOWN,
      EHOSTUNREACH, ENONET, ETIMEDOUT:
      return true
    case EBADF, EINVAL, ENOTSOCK, EOPNOTSUPP, EFAULT: return false
    // EMFILE, ENFILE, ENOBUFS, ENOMEM, and what a system refuses: who waits still waits, and would be told of at once.
    default:
      pausedUntil = now + AcceptTurns.pause
      return true
    }
  }

  /// For how long nobody is to be accepted, in ms, as poll takes it; -1 where somebody may be.
  public func rest(at now: ContinuousClock.Instant) -> Int32 {
    guard let end = pausedUntil, now < end else { return -1 }
    return Int32((min(now.duration(to: end), AcceptTurns.pause) / .milliseconds(1)).rounded(.up))
  }
}
