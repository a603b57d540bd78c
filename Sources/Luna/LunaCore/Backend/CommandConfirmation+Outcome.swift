public import LunaProtocol

extension CommandConfirmation {
  /// The confirmation of what came of a package. Claims of success without a receipt are none.
  public init(requestID: String, heid: HEID, _ outcome: CommandOutcome) {
    let answer = outcome.receipt.flatMap {
      CommandConfirmation.receiptCounts.contains($0.count) ? $0 : nil
    }
    let kind: Outcome =
      switch outcome.kind {
      case .done: answer == nil ? .failed : .done
      case .failed: .failed
      case .notReached: .notReached
      }
    let detail = outcome.detail.map { String($0.unicodeScalars.prefix(Self.detailLimit)) }
    self.init(
      requestID: requestID, heid: heid, outcome: kind, receipt: kind == .done ? answer : nil,
      detail: detail)
  }
}

extension String {
  /// The text of some scalars.
  fileprivate init(_ scalars: Substring.UnicodeScalarView) {
    self = ""
    unicodeScalars.append(contentsOf: scalars)
  }
}
