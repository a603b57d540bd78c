import LunaCore

extension UploadSettlement {
  var isEmpty: Bool { stored.isEmpty && refused.isEmpty && postponed.isEmpty }

  /// Takes in a later settlement.
  mutating func add(_ other: UploadSettlement) {
    stored += other.stored
    refused.merge(other.refused) { $1 }
    postponed += other.postponed
  }
}
