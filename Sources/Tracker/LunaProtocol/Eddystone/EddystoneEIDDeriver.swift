public import LunaCrypto

/// Derives the identifiers of Eddystone-EID beacons from their identity keys (PROTOCOL.md, 15; the
/// EID computation of Google's Eddystone-EID specification). Keeps one AES context; one per thread.
public struct EddystoneEIDDeriver: ~Copyable, Sendable {
  /// The number of bytes of an identity key.
  public static let keyCount = 16
  /// The largest rotation exponent.
  public static let largestExponent: UInt8 = 15

  private var aes: AES128Blocks

  /// A deriver for any number of beacons and times.
  ///
  /// - Throws: ``LunaCrypto/CryptoError`` when libcrypto does not offer AES-128.
  public init() throws(CryptoError) {
    aes = try AES128Blocks()
  }

  /// The identifier at a time.
  ///
  /// - Parameters:
  ///   - counter: the beacon's clock, s.
  ///   - exponent: K, 0 to 15: the identifier changes every 2^K s.
  /// - Throws: what is wrong with the parameters.
  public mutating func eid(
    _ identityKey: SecretBytes, counter: UInt32, exponent: UInt8
  ) throws(EddystoneEIDRejection) -> EID {
    var result = EID(value: 0)
    let rotation = exponent <= EddystoneEIDDeriver.largestExponent ? counter >> exponent : 0
    try eids(
      identityKey, rotations: PeriodRange(first: rotation, last: rotation), exponent: exponent
    ) { result = $1 }
    return result
  }

  /// The identifiers of many rotations under one key, which is what makes tables of them affordable.
  ///
  /// - Parameters:
  ///   - rotations: numbers of rotations, the counter divided by 2^K, in whose order `body` is
  ///     called. Those above 2^(32-K) - 1 do not exist and are left out.
  ///   - exponent: K, 0 to 15.
  /// - Throws: what is wrong with the parameters.
  public mutating func eids(
    _ identityKey: SecretBytes, rotations: PeriodRange, exponent: UInt8,
    _ body: (UInt32, EID) -> Void
  ) throws(EddystoneEIDRejection) {
    guard exponent <= EddystoneEIDDeriver.largestExponent else { throw .exponent }
    guard identityKey.count == EddystoneEIDDeriver.keyCount else { throw .keyLength }
    var key = identityKey.withBytes { key in InlineArray<16, UInt8> { key[$0] } }
    defer { wipe(&key) }
    let last = min(rotations.last, UInt32.max >> exponent)
    guard rotations.first <= last else { return }
    // All rotations within 2^16 s share a temporary key; they are encrypted in runs of `capacity`.
    let capacity = 64
    var input = InlineArray<1024, UInt8>(repeating: 0)
    var output = InlineArray<1024, UInt8>(repeating: 0)
    var temporaryOf: UInt32?
    var rotation = UInt64(rotations.first)
    while rotation <= UInt64(last) {
      let high = UInt32(truncatingIfNeeded: (rotation << exponent) >> 16)
      if temporaryOf != high {
        useTemporaryKey(of: key, high)
        temporaryOf = high
      }
      let endOfKey = ((UInt64(high) + 1) << 16) >> exponent
      let count = Int(min(UInt64(capacity), endOfKey - rotation, UInt64(last) + 1 - rotation))
      var blocks = input.mutableSpan
      for index in 0..<count {
        blocks[16 * index + 11] = exponent
        blocks.setBigEndian((rotation + UInt64(index)) << exponent, at: 16 * index + 12, count: 4)
      }
      var results = output.mutableSpan
      aes.encrypt(input.span.extracting(first: 16 * count), into: &results)
      for index in 0..<count {
        let value = output.span.bigEndian(at: 16 * index, count: EID.byteCount)
        body(UInt32(truncatingIfNeeded: rotation) + UInt32(index), EID(value: value))
      }
      rotation += UInt64(count)
    }
  }

  private mutating func useTemporaryKey(of identityKey: InlineArray<16, UInt8>, _ high: UInt32) {
    aes.setKey(identityKey)
    var block = InlineArray<16, UInt8>(repeating: 0)
    block[11] = 0xFF
    block[14] = UInt8(truncatingIfNeeded: high >> 8)
    block[15] = UInt8(truncatingIfNeeded: high)
    var key = aes.encrypt(block)
    defer { wipe(&key) }
    aes.setKey(key)
  }
}
