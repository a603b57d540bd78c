package import Bluetooth
import Diagnosis
package import LunaBuzzer

extension BuzzerError {
  /// The same with what the tracker advertises of its owner. One that says there that it is separated refuses for
  /// another reason than that it is not.
  package func considering(_ report: AdvertisingReport?) -> BuzzerError {
    guard kind == .notSeparated, let nearness = OwnerNearness(report) else { return self }
    let reason = "\(reason); \(nearness.clause)"
    guard nearness.isSeparated else { return BuzzerError(kind, reason, remedy: remedy) }
    return BuzzerError(
      .refused, reason,
      remedy: "it may sound already, which ends within 30 s, or offer this to nobody: try once more"
    )
  }
}
