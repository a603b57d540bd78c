package import Bluetooth
import Glibc

/// How many packets a second come from somebody, averaged over a few seconds.
package struct RateMeter: Sendable {
  /// The time over which the rate is averaged, s.
  private static let window = 5.0

  private var rate = 0.0
  private var count = 0.0
  private var first: Timestamp
  private var last: Timestamp

  package init(at time: Timestamp) {
    first = time
    last = time
  }

  package mutating func observe(at time: Timestamp) {
    rate = rate * exp(-last.seconds(to: time) / RateMeter.window) + 1 / RateMeter.window
    count += 1
    last = time
  }

  /// The rate as it is at `now`, packets per second. In the first seconds the average has not
  /// settled: then count.
  package func value(at now: Timestamp) -> Double {
    let known = first.seconds(to: now)
    if known < RateMeter.window { return count / max(known, 1) }
    return rate * exp(-last.seconds(to: now) / RateMeter.window)
  }
}

extension Timestamp {
  /// How many seconds later `end` is; 0 where it is earlier, or one of both is not known.
  package func seconds(to end: Timestamp) -> Double {
    guard self != .unknown, end != .unknown else { return 0 }
    return max(0, Double(end.microseconds &- microseconds) / 1_000_000)
  }
}
