import LunaCore
import Testing

@Suite("Those who listen", .timeLimit(.minutes(10)))
struct ListenersTests {
  private func all(_ stream: AsyncStream<Int>) async -> [Int] {
    var elements: [Int] = []
    for await element in stream { elements.append(element) }
    return elements
  }

  @Test("Each gets all from when it began to listen, in order, and the newest when it is slow")
  func elements() async {
    let listeners = Listeners<Int>(keeping: 3)
    #expect(listeners.isEmpty)
    listeners.tell(0)
    let first = listeners.makeStream()
    listeners.tell(1)
    let second = listeners.makeStream()
    listeners.tell(contentsOf: [2, 3, 4])
    #expect(!listeners.isEmpty)
    listeners.finish()
    #expect(listeners.isEmpty)
    listeners.tell(5)
    #expect(await all(first) == [2, 3, 4])
    #expect(await all(second) == [2, 3, 4])
    // One that is made after the end is another beginning.
    let third = listeners.makeStream()
    listeners.tell(6)
    listeners.finish()
    #expect(await all(third) == [6])
  }

  @Test("Who listens to something that is gone waits for nothing")
  func gone() async {
    let stream = Listeners<Int>(keeping: 3).makeStream()
    #expect(await all(stream) == [])
  }

  @Test("Nothing is kept for who has stopped listening")
  func leaving() async throws {
    let listeners = Listeners<Int>(keeping: 3)
    let task = Task { await all(listeners.makeStream()) }
    while listeners.isEmpty { await Task.yield() }
    task.cancel()
    #expect(await task.value == [])
    while !listeners.isEmpty { await Task.yield() }
  }
}
