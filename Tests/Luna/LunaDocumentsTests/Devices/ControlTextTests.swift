import LunaBuzzer
import Testing

@testable import LunaDocuments

@Suite("What a tracker of somebody else does, in words and as fields")
struct ControlTextTests {
  private func line(_ news: RingNews) -> String {
    let output = OutputBuffer()
    var writer = JSONFieldWriter("buzz", in: output)
    writer.string("event", ControlDocument.event(news))
    ControlDocument.write(news, to: &writer)
    writer.endLine()
    return output.lines.first ?? ""
  }

  @Test("What is not confirmed is said to be so")
  func tellsDoubt() {
    let news = RingNews.sounding(.dult, isConfirmed: false)
    #expect(
      ControlText.text(news, of: "it")
        == "it sounds (IETF DULT); it does not say so, and stops by itself")
    #expect(
      line(news)
        == #"{"type":"buzz","event":"buzzing","protocol":"dult","confirmed":false}"#)
    #expect(ControlText.text(.ended(isConfirmed: true), of: "it") == "it is silent")
    #expect(line(.ended(isConfirmed: true)).contains(#""event":"completed","confirmed":true"#))
    #expect(ControlText.text(.lost("it left"), of: "it").contains("(it left)"))
  }

  @Test("What it is stands in columns")
  func alignsIdentity() {
    var identity = TrackerIdentity()
    identity.manufacturer = "Maker"
    identity.productData = [1, 0xAB]
    #expect(
      IdentityDocument.lines(identity) == ["Manufacturer  Maker", "Product data  01ab"])
  }

  @Test("How far a command has come names the tracker")
  func tellsProgress() {
    #expect(
      ControlText.text(.waiting, of: "it") == "waiting for it to accept a connection")
    #expect(ControlText.text(.retrying("it left"), of: "it") == "it left; again")
  }
}
