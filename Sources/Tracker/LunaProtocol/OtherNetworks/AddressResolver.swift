public import Bluetooth
public import LunaCrypto

/// Tells whether a resolvable private address was made with an identity resolving key (Core
/// Specification, Vol 3, Part H, 2.2.2, and Vol 6, Part B, 1.3.2.3). Keeps one AES context; one per
/// thread.
public struct AddressResolver: ~Copyable, Sendable {
  private var aes: AES128Blocks

  /// A resolver.
  ///
  /// - Throws: ``LunaCrypto/CryptoError`` when libcrypto does not offer AES-128.
  public init() throws(CryptoError) {
    aes = try AES128Blocks()
  }

  /// Whether the address is of `key`: its lower half is ah(key, its upper half). One of 2^24 foreign
  /// addresses passes.
  ///
  /// - Parameter key: 16 bytes, most significant first.
  /// - Throws: ``LunaCrypto/CryptoError`` when the key has another length.
  public mutating func resolves(
    _ address: BluetoothAddress, key: SecretBytes
  ) throws(CryptoError) -> Bool {
    guard address.randomKind == .resolvable else { return false }
    try aes.setKey(key)
    return hash(UInt32(truncatingIfNeeded: address.value >> 24))
      == UInt32(truncatingIfNeeded: address.value & 0xFF_FFFF)
  }

  /// The function ah: the lower 24 bits of the encrypted number.
  private mutating func hash(_ number: UInt32) -> UInt32 {
    var block = InlineArray<16, UInt8>(repeating: 0)
    var span = block.mutableSpan
    span.setBigEndian(UInt64(number), at: 13, count: 3)
    let output = aes.encrypt(block)
    return UInt32(truncatingIfNeeded: output.span.bigEndian(at: 13, count: 3))
  }
}
