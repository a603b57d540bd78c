import LunaProtocol
import Synchronization

/// Counts events by identifier in two hours' worth of fixed memory. Whoever heard a frame can make
/// any number of reports for it (PROTOCOL.md, 16): here they end.
///
/// Two counters for each identifier, of which the lower one holds: others may share one of them, but
/// hardly both.
final class HeidLimiter: Sendable {
  private static let size = 1 << 18

  private struct State {
    var counters = [UInt16](repeating: 0, count: 2 * HeidLimiter.size)
    var hour: Int64 = 0
  }

  private let allowed: Atomic<Int>
  private let salt = UInt64.random(in: 0 ... .max)
  private let state = Mutex(State())

  /// - Parameter limit: events of an identifier in an hour; 0 for any number.
  init(limit: Int) { allowed = Atomic(HeidLimiter.bounded(limit)) }

  /// Allows another number from now on.
  func change(limit: Int) { allowed.store(HeidLimiter.bounded(limit), ordering: .relaxed) }

  private static func bounded(_ limit: Int) -> Int { min(limit, Int(UInt16.max) - 1) }

  /// Counts an event; returns whether it may be taken.
  ///
  /// - Parameter seconds: Unix time.
  func take(_ heid: HEID, at seconds: Int64) -> Bool {
    let limit = allowed.load(ordering: .relaxed)
    guard limit > 0 else { return true }
    let (first, second) = places(of: heid)
    return state.withLock { state in
      if state.hour != seconds / 3600 {
        state.hour = seconds / 3600
        for index in state.counters.indices { state.counters[index] = 0 }
      }
      guard min(state.counters[first], state.counters[second]) < limit else { return false }
      for place in [first, second] where state.counters[place] < .max {
        state.counters[place] += 1
      }
      return true
    }
  }

  /// Counts an event no more that was taken, and could not be kept.
  ///
  /// - Parameter seconds: Unix time at which it was taken.
  func giveBack(_ heid: HEID, at seconds: Int64) {
    guard allowed.load(ordering: .relaxed) > 0 else { return }
    let (first, second) = places(of: heid)
    state.withLock { state in
      guard state.hour == seconds / 3600 else { return }
      for place in [first, second] where state.counters[place] > 0 { state.counters[place] -= 1 }
    }
  }

  /// Where an identifier is counted.
  private func places(of heid: HEID) -> (Int, Int) {
    // Keyed, so that nobody can choose identifiers that meet.
    var mixed = (heid.low ^ salt) &* 0x9E37_79B9_7F4A_7C15
    mixed ^= (heid.high &+ (mixed >> 29)) &* 0xBF58_476D_1CE4_E5B9
    mixed ^= mixed >> 32
    return (
      Int(mixed & UInt64(HeidLimiter.size - 1)),
      HeidLimiter.size + Int((mixed >> 40) & UInt64(HeidLimiter.size - 1))
    )
  }
}
