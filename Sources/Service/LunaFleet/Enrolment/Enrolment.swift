public import Bluetooth
import Diagnosis
public import LunaCore

/// What a record knows of the scan of a label, by which a gateway gets its token.
public struct Enrolment: Hashable, Sendable {
  /// How long a scan waits for its gateway.
  public static let patience = Duration.seconds(90 * 86_400)

  /// The print that was scanned.
  public var print: GatewayPrint
  /// When it was scanned, by the clock of the backend.
  public var scannedAt: Timestamp
  /// The digest of the token that the gateway got; nil while it waits.
  public var tokenDigest: [UInt8]?

  /// A scan; without a digest it waits for its gateway, for ``patience``.
  public init(print: GatewayPrint, scannedAt: Timestamp, tokenDigest: [UInt8]? = nil) {
    self.print = print
    self.scannedAt = scannedAt
    self.tokenDigest = tokenDigest
  }

  /// What an offer comes to.
  public enum Answer: Hashable, Sendable {
    /// The digest becomes a token.
    case admitted
    /// It is one already: the same answer again.
    case repeated
  }

  /// Judges an offer by the record of its print.
  ///
  /// - Parameters:
  ///   - enrolment: of the record with the print of the offer's key; nil where there is none.
  ///   - isRemoved: whether that record was removed.
  ///   - isRevoked: whether the digest is that of a token that was revoked.
  public static func judge(
    _ offer: EnrolmentOffer, _ enrolment: Enrolment?, isRemoved: Bool, isRevoked: Bool,
    at time: Timestamp
  ) throws(FleetError) -> Answer {
    // Before any signature is looked at: whoever was not scanned costs nothing.
    guard let enrolment, !isExpired(enrolment, at: time) else { throw .notScanned }
    guard !isRemoved else {
      throw FleetError(
        .gatewayRemoved, "the gateway was removed", remedy: "undo the removal, or scan its label")
    }
    guard offer.isSigned else {
      throw FleetError(.signature, "the signature is not that of the key")
    }
    guard !isRevoked else {
      throw FleetError(.alreadyEnrolled, "the token was revoked", remedy: "scan the label again")
    }
    switch enrolment.tokenDigest {
    case nil: return .admitted
    case offer.tokenDigest: return .repeated
    default:
      throw FleetError(
        .alreadyEnrolled, "the gateway has another token since its label was scanned",
        remedy: "scan its label again for a new one")
    }
  }

  private static func isExpired(_ enrolment: Enrolment, at time: Timestamp) -> Bool {
    enrolment.tokenDigest == nil && time > enrolment.scannedAt.advanced(by: patience)
  }
}

extension FleetError {
  fileprivate static let notScanned = FleetError(
    .notEnrolled, "nobody has scanned the label of this gateway yet",
    remedy: "scan it, or paste its line")
}
