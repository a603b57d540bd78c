import Bluetooth
import Testing

@testable import WebAccess

@Suite struct OneTimeCodeTests {
  private let code = OneTimeCode(secret: Array("12345678901234567890".utf8))

  private func time(_ seconds: Int64) -> Timestamp { Timestamp(microseconds: seconds * 1_000_000) }

  /// RFC 6238, appendix B, for SHA-1.
  @Test(arguments: [
    (59, "94287082"), (1_111_111_109, "07081804"), (1_111_111_111, "14050471"),
    (1_234_567_890, "89005924"), (2_000_000_000, "69279037"), (20_000_000_000, "65353130"),
  ])
  func publishedVectors(seconds: Int64, expected: String) throws {
    let step = OneTimeCode.step(at: time(seconds))
    #expect(try code.code(step: step, digits: 8) == expected)
    #expect(try code.code(step: step) == String(expected.suffix(6)))
  }

  @Test func takesTheStepsAroundNowAndNoneTwice() throws {
    let now = time(1_000_000_000)
    let step = OneTimeCode.step(at: now)
    for offset in -3...3 {
      let text = try code.code(step: step + Int64(offset))
      let found = try code.step(of: text, at: now, after: 0)
      #expect(found == (abs(offset) <= 1 ? step + Int64(offset) : nil))
    }
    let text = try code.code(step: step)
    #expect(try code.step(of: text, at: now, after: step) == nil)
    #expect(try code.step(of: text, at: now, after: step - 1) == step)
    for wrong in ["", "12345", "abcdef", text + " ", "0" + text] {
      #expect(try code.step(of: wrong, at: now, after: 0) == nil)
    }
  }

  /// RFC 4648, 10, without its padding.
  @Test func secretsAreBase32() throws {
    for (text, expected) in [
      ("", ""), ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foob", "MZXW6YQ"),
      ("fooba", "MZXW6YTB"), ("foobar", "MZXW6YTBOI"),
    ] {
      #expect(Base32.text(text.utf8) == expected)
    }
    let uri = code.uri(account: "ada", issuer: "Luna")
    #expect(uri.hasPrefix("otpauth://totp/Luna:ada?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&"))
    #expect(try OneTimeCode().secret.count == 20)
  }

  @Test func recoveryCodesAreGoodOnce() throws {
    let codes = try RecoveryCode.make()
    #expect(Set(codes).count == 10)
    let kept = try RecoveryCode.digests(codes)
    let typed = codes[3].uppercased().filter { $0 != "-" }
    let left = try #require(try RecoveryCode.redeem(" " + typed, of: kept))
    #expect(left.count == kept.count - 32)
    #expect(try RecoveryCode.redeem(codes[3], of: left) == nil)
    #expect(try RecoveryCode.redeem(codes[9], of: left) != nil)
    #expect(try RecoveryCode.redeem("", of: left) == nil)
  }
}
