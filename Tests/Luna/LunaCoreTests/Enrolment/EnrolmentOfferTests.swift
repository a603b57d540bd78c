import LunaCrypto
import LunaJSON
import Testing

@testable import LunaCore

@Suite struct EnrolmentOfferTests {
  @Test func readsOnlyLowerCaseDigits() throws {
    let key = try SecureRandom.secret(count: 32)
    let offer = try EnrolmentOffer(
      privateKey: key, tokenDigest: [UInt8](repeating: 7, count: 32))
    #expect(try EnrolmentOffer(json: offer.json) == offer)
    guard case .object(let object) = offer.json else {
      Issue.record("no object")
      return
    }
    for name in ["publicKey", "tokenDigest", "signature"] {
      for value: JSONValue in ["", "AB", .string(String(repeating: "A", count: 64)), 5] {
        var other = object
        other.append(name, value)
        #expect(throws: FormatError.self) { try EnrolmentOffer(json: .object(other)) }
      }
    }
  }
}
