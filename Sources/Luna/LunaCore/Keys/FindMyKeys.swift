public import Bluetooth
public import LunaCrypto

/// What recognises an accessory of Apple's Find My network: the private key of pairing and the two
/// secrets from which the keys of 15 minutes (primary) and of a day (secondary) follow.
public struct FindMyKeys: Equatable, Sendable {
  /// The number of bytes of ``masterKey``: a scalar of P-224.
  public static let masterKeyCount = 28
  /// The number of bytes of ``primarySecret`` and ``secondarySecret``.
  public static let secretCount = 32

  /// A place in the sequence of primary keys at a time; without one, index 0 at pairing holds.
  public struct Alignment: Hashable, Sendable {
    /// When the index was seen.
    public var time: Timestamp
    /// The index of the primary key then.
    public var index: UInt32

    /// A place at a time.
    public init(time: Timestamp, index: UInt32) {
      self.time = time
      self.index = index
    }

    /// Whether an accessory that was paired then can have been there: it changes its key at most every
    /// 15 minutes. A month is left for clocks that were wrong.
    public func isPlausible(pairedAt: Timestamp) -> Bool {
      let times = Timestamp.wireTimes
      guard times.contains(time), times.contains(pairedAt) else { return false }
      let elapsed = time.unixMilliseconds - pairedAt.unixMilliseconds
      return Int64(index) * 900_000 <= max(0, elapsed) + 31 * 86_400_000
    }
  }

  /// The private key d, 28 bytes.
  public let masterKey: SecretBytes
  /// SKN at pairing, 32 bytes.
  public let primarySecret: SecretBytes
  /// SKS at pairing, 32 bytes.
  public let secondarySecret: SecretBytes
  /// Where the accessory was in the sequence when it was seen last, if known.
  public let alignment: Alignment?

  /// - Returns: nil when a key has not the right number of bytes.
  public init?(
    masterKey: SecretBytes, primarySecret: SecretBytes, secondarySecret: SecretBytes,
    alignment: Alignment? = nil
  ) {
    guard masterKey.count == FindMyKeys.masterKeyCount,
      primarySecret.count == FindMyKeys.secretCount,
      secondarySecret.count == FindMyKeys.secretCount
    else { return nil }
    self.masterKey = masterKey
    self.primarySecret = primarySecret
    self.secondarySecret = secondarySecret
    self.alignment = alignment
  }
}
