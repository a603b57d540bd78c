import Bluetooth
import Diagnosis
import LunaCore
import LunaProtocol

extension BuzzerError {
  /// The tracker's clock where it has proven that it had seen a newer command, Unix s.
  var clockOfStale: UInt32? {
    guard kind == .stale, isVerified, let receipt, receipt.count == Receipt.byteCount else {
      return nil
    }
    return receipt[1..<5].reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Why the clock cannot be set yet: a counter was used that is ahead of the time.
  ///
  /// - Parameter clock: what the tracker said of its clock, Unix s.
  static func rungMeanwhile(_ clock: UInt32, _ error: BuzzerError) -> BuzzerError {
    let end = 1024 * (Int64(clock) / 1024 + 2)
    let time = Timestamp(unixMilliseconds: end * 1000)
    var error = BuzzerError(
      .stale, error.reason,
      remedy: "somebody with whom it is shared may have rung it: try again after \(time.rfc3339)",
      receipt: error.receipt, isVerified: true)
    error.possibleAt = time
    return error
  }
}
