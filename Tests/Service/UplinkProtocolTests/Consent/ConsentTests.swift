import LunaJSON
import Testing
import UplinkProtocol

struct ConsentTests {
  @Test func isReadAsItIsStored() throws {
    let hash = try ConsentText.hash()
    let consent = Consent(hash: hash, time: "2026-11-25T22:00:00.000000Z", origin: .flag)
    let bytes = JSONValue.object(consent.members).bytes
    #expect(Consent(bytes) == consent && consent.covers(hash))
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == #"{"version":2,"sha256":"\#(hash)","time":"2026-11-25T22:00:00.000000Z","by":"flag"}"#)
  }

  @Test func coversOneTextAlone() throws {
    let hash = try ConsentText.hash()
    #expect(hash.wholeMatch(of: /[0-9a-f]{64}/) != nil)
    let other = Consent(hash: String(repeating: "0", count: 64), time: "", origin: .user)
    #expect(!other.covers(hash))
    let newer = #"{"version":3,"sha256":"\#(hash)","time":"","by":"user"}"#
    #expect(Consent(Array(newer.utf8))?.covers(hash) == false)
  }

  @Test(arguments: [
    "", "{}", "[]", "\0", #"{"version":0,"sha256":"00","time":"","by":"user"}"#,
    #"{"version":1,"sha256":"00","time":"","by":"nobody"}"#,
    #"{"version":1,"sha256":"../","time":"","by":"user"}"#,
    #"{"version":1,"version":1,"sha256":"00","time":"","by":"user"}"#,
    #"{"version":1,"sha256":"00","time":"","by":"user"}"# + String(repeating: " ", count: 5000),
  ])
  func isNone(_ text: String) {
    #expect(Consent(Array(text.utf8)) == nil)
  }

  /// Whoever changes the text has to change its version: then it is asked for again.
  @Test func textOfThisVersion() throws {
    #expect(ConsentText.version == 2)
    #expect(
      try ConsentText.hash() == "5f5f5b725746e862ed0a4e30530ad60ce2ba897de7e21edf532d3ab7a6da1fb4")
  }
}
