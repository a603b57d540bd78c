import Bluetooth
import EventLoop
import LunaTesting
import Testing

@testable import HCIHost

@Suite(.timeLimit(.minutes(10))) struct ValueQueueTests {
  /// Owns a queue on a reactor.
  private actor Owner: ReactorActor {
    nonisolated let reactor = Reactor.shared
    private lazy var queue = ValueQueue(on: reactor)
    /// How often somebody has begun to wait.
    nonisolated let waits = Watched(0)

    func push(_ values: [UInt8]...) { for value in values { queue.push(value) } }
    func hold() { queue.hold() }
    func release(read value: [UInt8]?) { queue.release(read: value) }
    func finish() {
      queue.finish(GATTError(.abortedByPeer, during: "connect", "the peer has disconnected"))
    }

    func next(_ limit: Duration = .milliseconds(20)) async -> Result<[UInt8], GATTError> {
      let ticket = queue.makeTicket()
      return await withTaskCancellationHandler {
        await withCheckedContinuation {
          queue.next(within: limit, ticket, $0)
          waits.withLock { $0 += 1 }
        }
      } onCancel: {
        Task { await giveUp(ticket) }
      }
    }

    private func giveUp(_ ticket: UInt64) { queue.giveUp(ticket) }

    func kind() async -> GATTError.Kind? {
      if case .failure(let error) = await next() { error.kind } else { nil }
    }
  }

  private let owner = Owner()

  @Test func deliversWhatCameBeforeAndWhatComesLater() async throws {
    await owner.push([1], [2])
    #expect(await owner.next() == .success([1]))
    #expect(await owner.next() == .success([2]))
    async let later = owner.next(.seconds(600))
    try await owner.waits.until { $0 == 3 }
    await owner.push([3])
    #expect(await later == .success([3]))
    #expect(await owner.kind() == .timedOut)
  }

  @Test func forgetsTheOldestOfTooMany() async {
    for number in 0..<UInt8(70) { await owner.push([number]) }
    for number in 6..<UInt8(70) { #expect(await owner.next() == .success([number])) }
    #expect(await owner.kind() == .timedOut)
  }

  @Test func keepsALimitedNumberDuringARead() async {
    await owner.hold()
    for number in 0..<UInt8(200) { await owner.push([number]) }
    await owner.release(read: [199])
    for number in 135..<UInt8(199) { #expect(await owner.next() == .success([number])) }
    #expect(await owner.kind() == .timedOut)
  }

  @Test func deliversWhatCameBeforeTheEnd() async {
    await owner.push([1])
    await owner.finish()
    #expect(await owner.next() == .success([1]))
    #expect(await owner.kind() == .abortedByPeer)
  }

  @Test func endsWaitsWithTheConnection() async throws {
    async let kind = owner.next(.seconds(600))
    try await owner.waits.until { $0 == 1 }
    await owner.finish()
    guard case .failure(let error) = await kind else {
      Issue.record("a value that nobody sent")
      return
    }
    #expect(error.kind == .abortedByPeer)
    #expect(error.operation == "indication")
  }

  @Test func aCancelledWaitEndsAtOnceAndTakesNothing() async {
    let cancelled = Task { [owner] in await owner.next(.seconds(600)) }
    let waiting = Task { [owner] in await owner.next(.seconds(600)) }
    cancelled.cancel()
    guard case .failure(let error) = await cancelled.value else {
      Issue.record("a value that nobody sent")
      return
    }
    #expect(error.kind == .abortedLocally && error.operation == "indication")
    await owner.push([1])
    #expect(await waiting.value == .success([1]))
  }

  @Test func leavesOutWhatWasRead() async {
    await owner.hold()
    await owner.push([1], [9], [2], [9])
    await owner.release(read: [9])
    // The last one was the read; the same value was also sent before it.
    for value: UInt8 in [1, 9, 2] { #expect(await owner.next() == .success([value])) }
    #expect(await owner.kind() == .timedOut)
  }

  @Test func losesNothingWhenAReadFails() async {
    await owner.hold()
    await owner.push([1])
    await owner.release(read: nil)
    #expect(await owner.next() == .success([1]))
    await owner.hold()
    await owner.push([2])
    await owner.finish()
    #expect(await owner.next() == .success([2]))
  }
}
