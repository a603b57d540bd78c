import SafeText
import Testing

/// Bytes in addresses and forms.
@Suite struct PercentEncodingTests {
  /// The last ones are what stands beside the letters and the digits.
  @Test(arguments: [
    ("", ""), ("azAZ09-._~", "azAZ09-._~"), ("a b\n", "a%20b%0A"), ("é", "%C3%A9"), ("%", "%25"),
    ("/:@[`{", "%2F%3A%40%5B%60%7B"),
  ])
  func encodesWhatIsReserved(text: String, encoded: String) {
    #expect(PercentEncoding.encode(text) == encoded)
    #expect(PercentEncoding.decode(encoded) == Array(text.utf8))
  }

  @Test func everyByteComesBack() {
    let bytes = (0...255).map { UInt8($0) }
    var encoded: [UInt8] = []
    for byte in bytes { PercentEncoding.append(byte, to: &encoded) }
    #expect(PercentEncoding.decode(String(decoding: encoded, as: UTF8.self)) == bytes)
  }

  @Test func readsDigitsOfEitherCaseAndNothingElse() {
    #expect(PercentEncoding.decode("%2f%aF%09") == [0x2F, 0xAF, 0x09])
    for text in ["%", "%4", "%4g", "%G0", "%/0", "%:0", "%@0", "%`0", "%g0", "%%41"] {
      #expect(PercentEncoding.decode(text) == nil, "\(text)")
    }
  }

  @Test func aPlusIsABlankInForms() {
    #expect(PercentEncoding.decode("a+%2B", plusIsBlank: true) == Array("a +".utf8))
    #expect(PercentEncoding.decode("a+%2B") == Array("a++".utf8))
  }
}
