import LunaProtocol

/// What is to be thought of an answer.
enum ControlJudgement: Hashable, Sendable {
  /// It comes from the tracker.
  case verified(Receipt)
  /// It has the form of a receipt, and the keys to verify it are not here.
  case unverified(status: UInt8)
  /// A short answer, which anyone could have given.
  case short(status: UInt8)
  /// It does not come from the tracker.
  case forged
  /// It is no receipt.
  case malformed

  /// Judges what came in answer to a package.
  ///
  /// - Parameter keys: those of the tracker; nil for who does not hold them.
  init(
    _ bytes: [UInt8], to package: ControlPackage, keys: TrackerKeys?,
    _ authenticator: inout ControlAuthenticator
  ) {
    guard let status = bytes.first else {
      self = .malformed
      return
    }
    guard let keys else {
      switch bytes.count {
      case Receipt.byteCount: self = .unverified(status: status)
      case Receipt.shortByteCount: self = .short(status: status)
      default: self = .malformed
      }
      return
    }
    do throws(ReceiptRejection) {
      self = .verified(try authenticator.verify(bytes.span, for: package, keys: keys))
    } catch {
      switch error {
      case .length: self = .malformed
      case .unauthenticated: self = .short(status: status)
      case .auth: self = .forged
      case .unverifiable: self = .unverified(status: status)
      }
    }
  }

  /// The status that the answer names.
  var status: UInt8? {
    switch self {
    case .verified(let receipt): receipt.statusCode
    case .unverified(let status), .short(let status): status
    case .forged, .malformed: nil
    }
  }
}
