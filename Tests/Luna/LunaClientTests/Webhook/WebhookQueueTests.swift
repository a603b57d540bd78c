import Testing

@testable import LunaClient

struct WebhookQueueTests {
  private func filled(_ count: Int) -> WebhookQueue {
    var queue = WebhookQueue()
    for number in 0..<count { _ = queue.add([UInt8(truncatingIfNeeded: number)]) }
    return queue
  }

  // #expect takes what it is given as it was.
  private func next(_ queue: inout WebhookQueue, _ now: Duration = .zero) -> WebhookQueue.Step {
    queue.next(at: now)
  }

  private func add(_ byte: UInt8, to queue: inout WebhookQueue) -> Bool { queue.add([byte]) }

  @Test func oneAfterTheOther() {
    var queue = filled(2)
    #expect(next(&queue) == .post([0]))
    #expect(next(&queue) == .rest)
    queue.ended(.delivered, at: .zero)
    #expect(next(&queue) == .post([1]))
    queue.ended(.delivered, at: .zero)
    #expect(next(&queue) == .rest)
    #expect(queue.delivered == 2)
    #expect(queue.lost == 0)
  }

  @Test func aFailureIsTriedThreeTimesMoreAndThenGivenUp() {
    var queue = filled(2)
    var now = Duration.zero
    for pause in WebhookQueue.pauses {
      #expect(next(&queue, now) == .post([0]))
      queue.ended(.failed("down", retryAfter: nil), at: now)
      #expect(next(&queue, now) == .wait(pause))
      now += pause
    }
    #expect(next(&queue, now) == .post([0]))
    queue.ended(.failed("down", retryAfter: nil), at: now)
    #expect(queue.lost == 1)
    // The one behind it does not hurry, and has all its attempts.
    #expect(next(&queue, now) == .wait(.seconds(16)))
    now += .seconds(16)
    #expect(next(&queue, now) == .post([1]))
    queue.ended(.failed("down", retryAfter: nil), at: now)
    #expect(next(&queue, now) == .wait(.seconds(1)))
  }

  @Test(arguments: [(0, 1), (7, 7), (60, 60), (86_400, 60), (Int.max, 60)])
  func theServerMayAskForALongerPause(asked: Int, pause: Int) {
    var queue = filled(1)
    _ = queue.next(at: .zero)
    queue.ended(.failed("busy", retryAfter: .seconds(asked)), at: .zero)
    #expect(next(&queue) == .wait(.seconds(pause)))
  }

  @Test func whatIsRefusedIsNotTriedAgain() {
    var queue = filled(2)
    _ = queue.next(at: .zero)
    queue.ended(.refused("no"), at: .zero)
    #expect(next(&queue) == .post([1]))
    #expect(queue.lost == 1)
  }

  @Test func theOldestIsLostWhereThereIsNoRoom() {
    var queue = filled(WebhookQueue.limit)
    #expect(!add(7, to: &queue))
    #expect(next(&queue) == .post([1]))
    // What is under way stays.
    #expect(!add(8, to: &queue))
    #expect(queue.lost == 2)
    queue.ended(.delivered, at: .zero)
    #expect(next(&queue) == .post([3]))
  }

  @Test func anEndGivesUpWhatWaits() {
    var queue = filled(3)
    queue.giveUp()
    #expect(next(&queue) == .rest)
    #expect(queue.lost == 3)
  }
}
