/// Base 32 with Crockford's alphabet, which has no letters that people take for others.
enum CrockfordText {
  private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
  /// What each byte stands for; this for nothing.
  private static let nothing: UInt8 = 0xFF
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: nothing, count: 128)
    for (value, symbol) in alphabet.enumerated() {
      values[Int(symbol)] = UInt8(value)
      if symbol >= UInt8(ascii: "A") { values[Int(symbol | 0x20)] = UInt8(value) }
    }
    for symbol in "IiLl".utf8 { values[Int(symbol)] = 1 }
    for symbol in "Oo".utf8 { values[Int(symbol)] = 0 }
    return values
  }()

  /// The text of bytes; the bits that fill its last symbol are zero.
  static func encode(_ bytes: [UInt8]) -> String {
    var symbols: [UInt8] = []
    var (bits, count): (UInt32, UInt32) = (0, 0)
    for byte in bytes {
      bits = (bits & 0x1F) << 8 | UInt32(byte)
      count += 8
      while count >= 5 {
        count -= 5
        symbols.append(alphabet[Int(bits >> count & 0x1F)])
      }
    }
    if count > 0 { symbols.append(alphabet[Int(bits << (5 - count) & 0x1F)]) }
    return String(decoding: symbols, as: UTF8.self)
  }

  /// What a symbol stands for, in either case, with I and L for 1 and O for 0; nil for none.
  static func value(of symbol: Unicode.Scalar) -> UInt8? {
    guard symbol.isASCII else { return nil }
    let value = values[Int(symbol.value)]
    return value == nothing ? nil : value
  }

  /// The bytes of symbols; nil where the last one has bits that belong to no byte and are not zero, or
  /// is one too many.
  static func decode(_ values: [UInt8]) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(values.count * 5 / 8)
    var (bits, count): (UInt32, UInt32) = (0, 0)
    for value in values {
      bits = (bits & 0xFF) << 5 | UInt32(value & 0x1F)
      count += 5
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> count))
      }
    }
    guard count < 5, bits & (1 << count - 1) == 0 else { return nil }
    return bytes
  }
}
