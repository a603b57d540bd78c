/// Base 32 without padding (RFC 4648, 6), as secrets of authenticator programs are written.
package enum Base32 {
  private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")

  package static func text(_ bytes: some Sequence<UInt8>) -> String {
    var text = ""
    var (bits, count) = (UInt32(0), 0)
    for byte in bytes {
      bits = bits << 8 | UInt32(byte)
      count += 8
      while count >= 5 {
        count -= 5
        text.append(digits[Int(bits >> UInt32(count) & 31)])
      }
    }
    if count > 0 { text.append(digits[Int(bits << UInt32(5 - count) & 31)]) }
    return text
  }
}
