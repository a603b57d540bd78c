import Glibc

/// The differences of pairs: how much faster each original was than its control, as a logarithm.
public struct PairDifferences: Sendable {
  /// No difference is taken for larger: a factor of 16.
  public static let largest = log(16.0)

  /// A difference for each pair that has one, within ±ln 16.
  public let values: [Double]
  /// How many originals failed.
  public let failedOriginals: Int
  /// How many controls failed.
  public let failedControls: Int
  /// How many pairs have no difference, since a slot of theirs was too fast.
  public let tooFast: Int
  /// How many pairs there are.
  public let pairs: Int

  /// Compares the slots of each pair. A slot that failed counts as a sixteenth of the median speed of all
  /// that were measured, or as sixteen times their median time.
  ///
  /// - Throws: `notFinite`, or `outOfRange` for a measure that is not above 0.
  public init(_ pairs: [SlotPair], _ measure: SlotMeasure) throws(StatisticsError) {
    let measures = pairs.flatMap { [$0.original, $0.control] }.compactMap { outcome in
      if case .measured(let value) = outcome { value } else { nil }
    }
    guard measures.allSatisfy(\.isFinite) else {
      throw StatisticsError(.notFinite, "a slot has a measure that is not a finite number")
    }
    guard measures.allSatisfy({ $0 > 0 }) else {
      throw StatisticsError(.outOfRange, "a slot has a measure that is not above 0")
    }
    let sign = measure == .rate ? 1.0 : -1
    // Where nothing was measured all slots failed alike.
    let failed = sign * log(Samples.median(measures) ?? 1) - PairDifferences.largest
    func value(_ outcome: SlotOutcome) -> Double? {
      switch outcome {
      case .measured(let value): sign * log(value)
      case .failed: failed
      case .tooFast: nil
      }
    }
    values = pairs.compactMap { pair in
      guard let original = value(pair.original), let control = value(pair.control) else {
        return nil
      }
      return min(max(original - control, -PairDifferences.largest), PairDifferences.largest)
    }
    failedOriginals = pairs.count { $0.original == .failed }
    failedControls = pairs.count { $0.control == .failed }
    tooFast = pairs.count { $0.original == .tooFast || $0.control == .tooFast }
    self.pairs = pairs.count
  }
}
