import Diagnosis
import LunaCrypto

/// What a person types to sign a program in (RFC 8628, 6.1): eight letters without vowels, so that no words
/// come out.
package struct UserCode: Hashable, Sendable {
  static let letters = Array("BCDFGHJKLMNPQRSTVWXZ".utf8)
  static let count = 8

  /// As it is compared.
  let text: String

  /// A new one.
  init() throws(StorageError) {
    var letters: [UInt8] = []
    do throws(CryptoError) {
      while letters.count < UserCode.count {
        let bytes: InlineArray<16, UInt8> = try SecureRandom.bytes()
        for index in bytes.indices where letters.count < UserCode.count {
          // 240 is the last multiple of 20: above it some letters would come more often.
          guard bytes[index] < 240 else { continue }
          letters.append(UserCode.letters[Int(bytes[index]) % UserCode.letters.count])
        }
      }
    } catch {
      throw StorageError(.failed, error.description)
    }
    text = String(decoding: letters, as: UTF8.self)
  }

  /// What somebody typed: case, hyphens and blanks do not matter.
  ///
  /// - Returns: nil when it can be no code.
  package init?(_ typed: String) {
    // Only the case of ASCII: there are other letters whose capitals are among these.
    let letters = typed.utf8.filter { $0 != UInt8(ascii: "-") && $0 != 0x20 }
      .map { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) ? $0 & 0xDF : $0 }
    guard letters.count == UserCode.count, letters.allSatisfy(UserCode.letters.contains) else {
      return nil
    }
    text = String(decoding: letters, as: UTF8.self)
  }

  /// As it is shown.
  package var shown: String { "\(text.prefix(4))-\(text.suffix(4))" }
}
