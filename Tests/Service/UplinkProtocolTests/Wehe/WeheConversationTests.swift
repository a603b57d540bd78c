import Testing

@testable import UplinkProtocol

/// The side channel of a client of Wehe's, as a server has it.
struct WeheConversationTests {
  private static let first = "abcdefghi1;0;Luna-11252026;x;3;False;127.0.0.1;1.0"
  private static let changes = "[-1, null, null]"

  private func said(_ actions: [WeheConversation.Action]) -> [String] {
    actions.map { action in
      switch action {
      case .send(let bytes): String(decoding: bytes.dropFirst(10), as: UTF8.self)
      case .ask(let declaration): "ask \(declaration.replay.text)"
      case .end(let samples): "end \(samples?.rates.count ?? 0)"
      case .close: "close"
      }
    }
  }

  private func take(
    _ conversation: inout WeheConversation, _ messages: String...
  ) -> [String] {
    said(conversation.take(messages.flatMap { WeheFrame.bytes($0) }))
  }

  @Test(arguments: [
    "abcdefghi1;0;Luna-11252026;x;3;False;127.0.0.1;1.0", "me@home;1;Luna-11252026;x;3;True",
  ])
  func speaksAsUsual(_ declaration: String) {
    var conversation = WeheConversation()
    #expect(take(&conversation, declaration) == [])
    #expect(take(&conversation, Self.changes, "NoIperf") == ["ask Luna-11252026"])
    // What came before it was allowed is heard afterwards.
    #expect(
      said(conversation.allow("192.0.2.1", map: "{}", senders: 2)) == ["1;192.0.2.1;100"])
    #expect(take(&conversation, "NoMobileStats") == ["{}", "2"])
    #expect(said(conversation.notice(.started(port: 7))) == ["STARTED;7"])
    #expect(said(conversation.notice(.done(port: 7))) == ["DONE;7"])
    #expect(take(&conversation, "DONE;0.7") == [])
    #expect(take(&conversation, "[[1,2],[0.1,0.2]]") == ["end 2", "OK"])
    #expect(take(&conversation, "Result;No") == ["OK", "close"])
    #expect(take(&conversation, "Result;No") == [])
  }

  @Test func factsAreNotKept() {
    var conversation = WeheConversation()
    _ = take(&conversation, Self.first, Self.changes)
    _ = conversation.allow("192.0.2.1", map: "{}", senders: 0)
    #expect(take(&conversation, "NoIperf", "WillSendMobileStats") == [])
    #expect(take(&conversation, #"{"model":"x"}"#) == ["{}", "0"])
    #expect(take(&conversation, "DONE;1", "NoJitter;abcdefghi1") == ["end 0", "OK"])
  }

  @Test(arguments: [(1, "0;1"), (2, "0;2;100"), (3, "0;3")])
  func refuses(_ reason: Int, _ text: String) {
    var conversation = WeheConversation()
    _ = take(&conversation, Self.first, Self.changes)
    #expect(said(conversation.refuse(reason)) == [text, "close"])
    #expect(conversation.allow("192.0.2.1", map: "{}", senders: 0).isEmpty)
  }

  @Test(arguments: [
    "", ";;;;;;;", "a;0;../x;x;3;False", "a;2;Luna;x;3;False", "a;0;Luna;x;-3;False",
    "a;0;Luna;x;3;Maybe", "a b;0;Luna;x;3;False", "a;0;Luna;x;3;False;127.0.0.1",
    "a;0;Lu\0na;x;3;False", "a;0;Luna;x;99999999999;False",
  ])
  func otherFirstWordsEndIt(_ first: String) {
    var conversation = WeheConversation()
    #expect(take(&conversation, first, Self.changes) == ["close"])
  }

  @Test(arguments: ["timeout", "ipFlip", "hello"])
  func clientsMayEndIt(_ word: String) {
    var conversation = WeheConversation()
    _ = take(&conversation, Self.first, Self.changes)
    _ = conversation.allow("192.0.2.1", map: "{}", senders: 0)
    #expect(take(&conversation, "NoIperf", "NoMobileStats", word) == ["{}", "0", "close"])
  }

  @Test(arguments: ["[[1],[1,2]]", "[[-1],[1]]", "x", "[[1e999],[1]]"])
  func samplesThatAreNoneEndIt(_ samples: String) {
    var conversation = WeheConversation()
    _ = take(&conversation, Self.first, Self.changes)
    _ = conversation.allow("192.0.2.1", map: "{}", senders: 0)
    let words = take(&conversation, "NoIperf", "NoMobileStats", "DONE;1", samples)
    #expect(words == ["{}", "0", "close"])
  }

  @Test func whoDoesNotWaitIsNotHeardForEver() {
    var conversation = WeheConversation()
    _ = take(&conversation, Self.first, Self.changes)
    let some = [UInt8](repeating: UInt8(ascii: "0"), count: 4_096)
    #expect(conversation.take(some).isEmpty)
    #expect(said(conversation.take([0])) == ["close"])
    #expect(conversation.take(some).isEmpty)
  }

  /// Announced is more than any message has.
  @Test(arguments: ["9999999999", "-000000001", "0000005000", "abcdefghij"])
  func lengthsAreLimited(_ head: String) {
    var conversation = WeheConversation()
    #expect(said(conversation.take(Array(head.utf8))) == ["close"])
  }
}
