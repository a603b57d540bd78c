import LunaBuzzer
import Testing

@testable import LunaDocuments

@Suite struct IdentityDocumentTests {
  /// People read the word that stands in the JSON line; IETF DULT has two for a battery that is fine.
  @Test(
    arguments: [
      (0, "normal"), (1, "normal"), (2, "low"), (3, "critical"), (4, nil),
    ] as [(UInt8, String?)])
  func batteryHasOneWord(level: UInt8, word: String?) {
    var identity = TrackerIdentity()
    identity.batteryLevel = level
    #expect(IdentityDocument.battery(identity) == word)
    let output = OutputBuffer()
    var writer = JSONFieldWriter("identity", in: output)
    IdentityDocument.write(identity, to: &writer)
    writer.endLine()
    let line = output.lines.first ?? ""
    #expect(line.contains("\"battery\"") == (word != nil))
    if let word { #expect(line.contains("\"battery\":\"\(word)\"")) }
  }
}
