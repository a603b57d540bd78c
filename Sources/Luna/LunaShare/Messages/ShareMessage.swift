import LunaCore
public import LunaCrypto
import LunaJSON
public import LunaProtocol

/// What is in an envelope: a share, or the end of one (SHARING.md, 2).
public struct ShareMessage: Sendable {
  /// The most bytes of the header.
  static let headerLimit = 16 << 10

  /// Which share of its sender it is about.
  public var share: DeviceUUID
  /// Counts up with each message of a share.
  public var serial: Int64
  /// When it was made, Unix s.
  public var issuedAt: Int64
  /// What it gives; nil: it ends the share.
  public var grant: ShareGrant?

  /// A message; without a `grant` it ends the share.
  public init(share: DeviceUUID, serial: Int64, issuedAt: Int64, grant: ShareGrant?) {
    self.share = share
    self.serial = serial
    self.issuedAt = issuedAt
    self.grant = grant
  }

  /// Seals it.
  ///
  /// - Parameter sender: the sender's private key.
  /// - Throws: ``ShareError`` when it is too large, or the recipient's key is none;
  ///   ``LunaCrypto/CryptoError``.
  public func sealed(to recipient: ContactKey, from sender: SecretBytes) throws -> [UInt8] {
    let header = JSONValue.object(header).bytes
    guard header.count <= ShareMessage.headerLimit else { throw ShareError.text }
    let records = grant?.periods.records
    let count = 4 + header.count + (records?.count ?? 0)
    guard count + ShareEnvelope.headCount + HPKE.tagCount <= ShareEnvelope.limit else {
      throw ShareError.size
    }
    var plaintext: [UInt8] = []
    plaintext.reserveCapacity(count)
    defer { wipe(&plaintext) }
    for shift in [24, 16, 8, 0] { plaintext.append(UInt8(header.count >> shift & 255)) }
    plaintext += header
    records?.withBytes { for index in $0.indices { plaintext.append($0[index]) } }
    do throws(CryptoError) {
      return try ShareEnvelope.seal(
        plaintext.span, to: recipient, from: sender,
        ephemeral: SecureRandom.secret(count: HPKE.keyCount))
    } catch {
      throw error.kind == .invalidKey ? ShareError.contact : error
    }
  }

  /// Opens an envelope, and reads what is in it.
  ///
  /// - Parameters:
  ///   - recipient: one's own private key.
  ///   - senders: those from whom envelopes are taken.
  ///   - last: the last serial of a share of a sender; 0 when there was none.
  /// - Throws: the first test that failed.
  public static func open(
    _ envelope: [UInt8], to recipient: SecretBytes, from senders: [ContactKey],
    last: (ContactKey, DeviceUUID) -> Int64
  ) throws(ShareRejection) -> (sender: ContactKey, message: ShareMessage) {
    let (sender, plaintext) = try ShareEnvelope.open(envelope, to: recipient, from: senders)
    let message = try ShareMessage(plaintext: plaintext)
    guard message.serial > last(sender, message.share) else { throw .serial }
    return (sender, message)
  }
}
