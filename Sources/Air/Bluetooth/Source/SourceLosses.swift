/// What was lost since this was asked last, by reason.
public struct SourceLosses: Sendable {
  private var told: [String: UInt64] = [:]

  /// Nothing was lost yet.
  public init() {}

  /// What was lost since the last call: the reasons of ``SourceCounters/losses``, each with its number.
  public mutating func take(_ counters: SourceCounters) -> [(reason: String, count: UInt64)] {
    take(counters.losses)
  }

  /// What was lost since the last call, also by others than a source.
  ///
  /// - Parameter totals: how much was lost so far, for each reason once.
  public mutating func take(
    _ totals: [(reason: String, count: UInt64)]
  ) -> [(reason: String, count: UInt64)] {
    totals.compactMap { reason, count in
      let before = told.updateValue(count, forKey: reason) ?? 0
      return count > before ? (reason, count - before) : nil
    }
  }
}
