import Testing

@testable import ChildProcess

struct OccurrenceQueueTests {
  private func occurrence(_ subject: String) -> EventCommand.Occurrence {
    EventCommand.Occurrence(subject) { [] }
  }

  // #expect takes what it is given as it was.
  private func add(_ subject: String, to queue: inout OccurrenceQueue) -> Bool {
    queue.add(occurrence(subject))
  }

  private func next(_ queue: inout OccurrenceQueue, _ busy: [String] = []) -> String? {
    queue.next(besides: busy)?.subject
  }

  @Test func ofASubjectTheLatestWaits() {
    var queue = OccurrenceQueue(limit: 4)
    for subject in ["a", "b", "a", "a"] { #expect(add(subject, to: &queue)) }
    #expect(queue.replaced == 2)
    #expect(next(&queue, []) == "a")
    #expect(next(&queue, []) == "b")
    #expect(next(&queue, []) == nil)
    #expect(queue.isEmpty)
  }

  @Test func theOldestIsForgottenWhereThereIsNoRoom() {
    var queue = OccurrenceQueue(limit: 2)
    #expect(add("a", to: &queue))
    #expect(add("b", to: &queue))
    #expect(!add("c", to: &queue))
    #expect(queue.replaced == 1)
    #expect(next(&queue, []) == "b")
    queue.removeAll()
    #expect(queue.isEmpty)
    #expect(queue.replaced == 2)
  }

  @Test func whatIsBusyWaits() {
    var queue = OccurrenceQueue(limit: 4)
    for subject in ["a", "b"] { _ = queue.add(occurrence(subject)) }
    #expect(next(&queue, ["a", "b"]) == nil)
    #expect(next(&queue, ["a"]) == "b")
    #expect(next(&queue, []) == "a")
  }
}
