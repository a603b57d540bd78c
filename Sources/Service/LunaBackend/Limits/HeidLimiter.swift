import LunaProtocol
import Synchronization

/// Counts events by identifier in two hours' worth of fixed memory. Whoever heard a frame can make
/// any number of reports for it (PROTOCOL.md, 16): here they end.
///
/// Two counters for each identifier, of which the lower one holds: others may share one of them, but
/// hardly both.
///
/// Where several processes share a storage, each of them counts for itself until an identifier comes to a tenth of
/// what is allowed, and by what all took from then on (SCALE.md, 3.3).
final class HeidLimiter: Sendable {
  private static let size = 1 << 18

  /// Identifiers that are shared at most.
  static let usualCapacity = 65_536

  /// What is known of an identifier whose count is shared.
  private struct Shared {
    /// How much of what this process took the others were told.
    var told = 0
    /// What the others took.
    var others = 0
  }

  private struct State {
    var counters = [UInt16](repeating: 0, count: 2 * HeidLimiter.size)
    var shared: [HEID: Shared] = [:]
    var hour: Int64 = 0

    /// What this process took of an identifier.
    func count(_ places: (Int, Int)) -> Int { Int(min(counters[places.0], counters[places.1])) }
  }

  private let isShared: Bool
  private let capacity: Int
  private let allowed: Atomic<Int>
  private let salt = UInt64.random(in: 0 ... .max)
  private let state = Mutex(State())

  /// - Parameters:
  ///   - limit: events of an identifier in an hour; 0 for any number.
  ///   - isShared: whether other processes count as well.
  ///   - capacity: how many identifiers they are told of at most.
  init(limit: Int, isShared: Bool = false, capacity: Int = HeidLimiter.usualCapacity) {
    allowed = Atomic(HeidLimiter.bounded(limit))
    self.isShared = isShared
    self.capacity = capacity
  }

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
        state.shared.removeAll()
      }
      let own = state.count((first, second))
      let isBusy = isShared && own >= limit / 10
      let known = isBusy ? state.shared[heid] : nil
      guard own + (known?.others ?? 0) < limit else { return false }
      // Half of them wait until the most asked for are chosen.
      if isBusy, known == nil, state.shared.count < 2 * capacity {
        state.shared[heid] = Shared()
      }
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

  /// What the others are to be told: how much came of those that are most asked for since they were told last. It
  /// counts as told, whether they hear it or not: what is told twice would be taken from the tracker.
  ///
  /// - Returns: nil where there is nothing to tell or to ask; the hour is in hours since 1970.
  func news() -> (hour: Int64, additions: [HEID: Int])? {
    state.withLock { state -> (hour: Int64, additions: [HEID: Int])? in
      choose(&state)
      guard !state.shared.isEmpty else { return nil }
      var additions: [HEID: Int] = [:]
      for (heid, known) in state.shared {
        let own = state.count(places(of: heid))
        additions[heid] = own - known.told
        state.shared[heid]?.told = own
      }
      return (state.hour, additions)
    }
  }

  /// Of too many, drops those that are least asked for. Those that were told of stay: told anew they would count twice.
  private func choose(_ state: inout State) {
    guard state.shared.count > capacity else { return }
    var untold: [(heid: HEID, count: Int)] = []
    for (heid, known) in state.shared where known.told == 0 {
      untold.append((heid, state.count(places(of: heid))))
    }
    untold.sort { $0.count > $1.count }
    let room = max(0, capacity - (state.shared.count - untold.count))
    for (heid, _) in untold.dropFirst(room) { state.shared[heid] = nil }
  }

  /// Takes notice of what all processes took in an hour.
  func hear(_ sums: [HEID: Int], inHour hour: Int64) {
    state.withLock { state in
      guard state.hour == hour else { return }
      for (heid, sum) in sums {
        guard let known = state.shared[heid] else { continue }
        // Less than this one has told: it was lost, and is told again.
        let told = min(known.told, sum)
        state.shared[heid] = Shared(told: told, others: sum - told)
      }
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
