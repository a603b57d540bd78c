import Diagnosis
package import LunaCrypto

/// Codes for who has lost the authenticator: each is good once. Only digests are kept, one after the
/// other.
package enum RecoveryCode {
  static let count = 10
  private static let digestCount = 32

  /// New ones, as they are shown once: 80 random bits in groups of four.
  package static func make() throws(CryptoError) -> [String] {
    var codes: [String] = []
    for _ in 0..<count {
      let random: InlineArray<10, UInt8> = try SecureRandom.bytes()
      let digits = Array(Base32.text(random.indices.map { random[$0] }).lowercased())
      codes.append(
        stride(from: 0, to: digits.count, by: 4).map { String(digits[$0..<$0 + 4]) }
          .joined(separator: "-"))
    }
    return codes
  }

  /// What is kept of codes.
  package static func digests(_ codes: [String]) throws(CryptoError) -> [UInt8] {
    var digests: [UInt8] = []
    for code in codes { digests += try digest(code) }
    return digests
  }

  /// Takes a code out of what was kept.
  ///
  /// - Returns: what is left; nil when it is none of them.
  package static func redeem(_ code: String, of kept: [UInt8]) throws(CryptoError) -> [UInt8]? {
    let given = try digest(code)
    var (left, isFound) = ([UInt8](), false)
    for start in stride(from: 0, to: kept.count - kept.count % digestCount, by: digestCount) {
      let one = Array(kept[start..<start + digestCount])
      if !isFound, constantTimeEqual(one.span, given.span) {
        isFound = true
      } else {
        left += one
      }
    }
    return isFound ? left : nil
  }

  /// Hyphens, blanks and case do not matter.
  private static func digest(_ code: String) throws(CryptoError) -> [UInt8] {
    try SecretDigest.of(code.lowercased().filter { $0 != "-" && $0 != " " })
  }
}
