import Testing

@testable import HTTPServer

@Suite struct ServerSentEventTests {
  private func text(_ event: ServerSentEvent) -> String {
    String(decoding: event.bytes, as: UTF8.self)
  }

  @Test func fieldsAreLines() {
    #expect(text(ServerSentEvent(data: "a")) == "data: a\n\n")
    #expect(
      text(ServerSentEvent("state", data: "{}", id: "7")) == "id: 7\nevent: state\ndata: {}\n\n")
    #expect(text(.retry(after: .seconds(3))) == "retry: 3000\n\n")
    #expect(text(.heartbeat).hasPrefix(":"))
  }

  @Test func everyLineOfTheDataIsAField() {
    #expect(
      text(ServerSentEvent(data: "a\nb\r\nc\rd")) == "data: a\ndata: b\ndata: c\ndata: d\n\n")
    #expect(text(ServerSentEvent(data: "")) == "data: \n\n")
  }

  @Test func noFieldEndsAnEvent() {
    #expect(
      text(ServerSentEvent("a\ndata: x", data: "", id: "1\r\n\r\n2\0"))
        == "id: 12\nevent: adata: x\ndata: \n\n")
  }
}
