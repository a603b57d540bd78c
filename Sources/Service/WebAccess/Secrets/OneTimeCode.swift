package import Bluetooth
import Diagnosis
package import LunaCrypto

/// Codes that change every 30 seconds (TOTP, RFC 6238), of 6 digits, as authenticator programs make them.
package struct OneTimeCode: Sendable {
  /// Seconds for which a code stands.
  static let period: Int64 = 30
  /// Bytes of a secret, as many as the hash has (RFC 4226, 4).
  static let secretCount = 20

  /// What the authenticator has, too.
  package let secret: [UInt8]

  /// One with a secret.
  package init(secret: [UInt8]) { self.secret = secret }

  /// A new secret.
  package init() throws(CryptoError) {
    secret = try SecureRandom.secret(count: OneTimeCode.secretCount).withBytes { bytes in
      bytes.indices.map { bytes[$0] }
    }
  }

  /// The step that a time lies in.
  package static func step(at time: Timestamp) -> Int64 { time.microseconds / (period * 1_000_000) }

  /// The code of a step (RFC 4226, 5.3).
  package func code(step: Int64, digits: Int = 6) throws(CryptoError) -> String {
    let message = (0..<8).map { UInt8(truncatingIfNeeded: step >> (56 - 8 * Int64($0))) }
    let hash = try HMACSHA1.code(for: message.span, key: secret.span)
    let offset = Int(hash[19] & 15)
    let number = hash[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
    let modulus = (0..<digits).reduce(UInt64(1)) { value, _ in value * 10 }
    let text = String(UInt64(number) % modulus)
    return String(repeating: "0", count: digits - text.count) + text
  }

  /// The step that a code belongs to: now, or one before or after, as clocks differ.
  ///
  /// - Parameter last: the last step of which a code was taken; of it and those before none is.
  package func step(of code: String, at time: Timestamp, after last: Int64) throws(CryptoError)
    -> Int64?
  {
    let now = OneTimeCode.step(at: time)
    let given = Array(code.utf8)
    var found: Int64?
    for step in now - 1...now + 1 {
      let right = Array(try self.code(step: step).utf8)
      // All are looked at, so that the time does not tell which one it was.
      if constantTimeEqual(right.span, given.span), step > last, found == nil { found = step }
    }
    return found
  }

  /// What an authenticator program reads from a QR code.
  package func uri(account: String, issuer: String) -> String {
    "otpauth://totp/\(issuer):\(account)?secret=\(Base32.text(secret))&issuer=\(issuer)"
      + "&algorithm=SHA1&digits=6&period=\(OneTimeCode.period)"
  }
}
