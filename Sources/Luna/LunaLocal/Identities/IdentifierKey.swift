import LunaCore

/// What the index knows an identifier by: a number of 64 bits.
enum IdentifierKey {
  /// Set in the period of an entry of a second sequence: the keys of a day of Find My accessories.
  static let secondSequence: UInt32 = 0x8000_0000

  /// The first 8 bytes of a long identifier, the first one most significant.
  static func leading(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// A Find My key is known by its first six bytes, which are the address with its top bits set: that
  /// is all that a device near its owner shows of it.
  static func findMy(address: UInt64) -> UInt64 { 0x4C << 48 | address | 0xC000_0000_0000 }

  /// The same of a whole public key.
  static func findMy(publicKey: some Sequence<UInt8>) -> UInt64 {
    findMy(address: leading(publicKey) >> 16)
  }
}
