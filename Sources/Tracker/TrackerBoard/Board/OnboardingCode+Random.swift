import LunaCrypto
import LunaProtocol

extension OnboardingCode {
  /// A new code, which nobody knows.
  static func drawn(using generator: inout some RandomNumberGenerator) -> OnboardingCode {
    while true {
      var bytes = (0..<OnboardingCode.byteCount).map { _ in
        UInt8.random(in: .min ... .max, using: &generator)
      }
      defer { wipe(&bytes) }
      // There are as many bytes as there must be: once is enough.
      if let code = OnboardingCode(SecretBytes(copying: bytes.span)) { return code }
    }
  }
}
