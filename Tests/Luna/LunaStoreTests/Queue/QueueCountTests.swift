import Testing

@testable import LunaStore

/// What is noted of a queue beside its file.
struct QueueCountTests {
  @Test(arguments: [0, 7, 200_000, 9_999_999_999], ["a7f3", nil] as [String?])
  func isReadAsItWasWritten(_ waiting: Int, _ boot: String?) {
    let count = QueueCount(waiting: waiting, boot: boot)
    #expect(QueueCount(count.text) == count)
    // One takes the place of another.
    #expect(count.text.utf8.count == QueueCount(waiting: 1, boot: nil).text.utf8.count)
  }

  @Test func anythingElseIsNone() {
    let text = QueueCount(waiting: 5, boot: "a7f3").text
    for other in ["", "waiting 5 a7f3", text + text, text.uppercased(), String(text.dropLast())] {
      #expect(QueueCount(other) == nil)
    }
  }

  /// After a power cut nobody knows how old a note is.
  @Test func countsInTheSameStartOfTheMachine() {
    #expect(QueueCount(waiting: 5, boot: "a7f3").counts(in: "a7f3"))
    #expect(!QueueCount(waiting: 5, boot: "a7f3").counts(in: "b001"))
    #expect(!QueueCount(waiting: 5, boot: BootID.unknown).counts(in: BootID.unknown))
    #expect(QueueCount(waiting: 5, boot: nil).counts(in: "b001"))
  }
}
