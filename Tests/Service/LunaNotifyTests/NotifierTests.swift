import Bluetooth
import LunaClient
import LunaCore
import LunaHome
import LunaStore
import LunaTesting
import SQLite
import Synchronization
import Testing

@testable import LunaNotify

/// The shell around the queue, with the database of a home and a courier that is told what to answer.
@Suite(.timeLimit(.minutes(10)))
struct NotifierTests {
  /// Answers in turn, then with success.
  private final class FakeCourier: Courier {
    private let answers: Mutex<[DeliveryOutcome]>
    private let taken = Mutex<[String]>([])
    private let bell = Bell()
    /// Whether it never comes back, once it was told to hand over.
    private let isLost: Bool
    /// To how many browsers, or over how many connections, it hands over.
    private let ways: Int

    init(_ answers: [DeliveryOutcome] = [], isLost: Bool = false, ways: Int = 1) {
      self.answers = Mutex(answers)
      self.isLost = isLost
      self.ways = ways
    }

    /// The firings, in their order.
    var all: [String] { taken.withLock(\.self) }

    func deliver(
      _ shipment: Shipment, at now: Int64, willSend: @escaping @Sendable () -> Void
    ) async -> DeliveryOutcome {
      for _ in 0..<ways { willSend() }
      taken.withLock { $0 += shipment.entries.map(\.message.firing) }
      bell.ring()
      if isLost { while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) } }
      return answers.withLock { $0.isEmpty ? .delivered : $0.removeFirst() }
    }

    func wait(for count: Int) async {
      while all.count < count { await bell.wait(for: .seconds(3600)) }
    }
  }

  private let folder = TemporaryFolder()

  private func open() async throws -> HomeStore {
    try await HomeStore.open(in: StateDirectory(path: folder.path))
  }

  private func add(_ entries: [OutboxEntry], to store: HomeStore) async throws {
    try await store.transaction { (database: borrowing HomeDatabase) throws(DeviceStoreError) in
      try OutboxTable.add(entries, to: database.connection)
    }
  }

  private func rows(_ store: HomeStore, failed: Bool = false) async throws -> [OutboxTable.Row] {
    try await store.read { (database: borrowing HomeDatabase) throws(DeviceStoreError) in
      try OutboxTable.list(onlyFailed: failed, in: database.connection)
    }
  }

  /// Runs a notifier while `body` works.
  private func run(
    _ store: HomeStore, _ courier: FakeCourier,
    telling news: AsyncStream<Notifier.News>.Continuation? = nil,
    _ body: (Notifier) async throws -> Void
  ) async throws {
    let notifier = Notifier(
      try OutboxFile(path: store.path), Homes.configuration().notifications, courier: courier
    ) { news?.yield($0) }
    let task = Task { await notifier.run() }
    try await body(notifier)
    await notifier.stop(within: .seconds(60))
    await task.value
  }

  private static var now: Int64 { WallClock.system.now().microseconds }

  private func entry(_ id: Int64, rule: String = "left") -> OutboxEntry {
    Homes.entry(id, at: NotifierTests.now, rule: rule)
  }

  @Test func whatIsAddedGoesOutAndIsForgotten() async throws {
    let store = try await open()
    let courier = FakeCourier([.failed("no answer", retryAfter: .zero), .refused("550")])
    try await add([entry(1), entry(2, rule: "b")], to: store)
    // The same again is nothing new.
    try await add([entry(1)], to: store)
    try await run(store, courier) { notifier in
      await courier.wait(for: 3)
      try await add([entry(3, rule: "c")], to: store)
      notifier.wake()
      await courier.wait(for: 4)
    }
    #expect(Set(courier.all) == ["left-1", "b-2", "c-3"])
    let left = try await rows(store)
    #expect(left.count == 1 && left[0].state == .failed && left[0].reason == "550")
  }

  @Test func afterACrashItIsSentOnceMoreButNotAThirdTime() async throws {
    let store = try await open()
    try await add([entry(1)], to: store)
    for _ in 0..<2 {
      let courier = FakeCourier(isLost: true)
      let notifier = Notifier(
        try OutboxFile(path: store.path), Homes.configuration().notifications, courier: courier
      ) { _ in }
      let task = Task { await notifier.run() }
      await courier.wait(for: 1)
      // What came of it is never written: as after kill -9.
      task.cancel()
    }
    let courier = FakeCourier()
    let news = AsyncStream<Notifier.News>.makeStream()
    try await run(store, courier, telling: news.continuation) { _ in
      for await one in news.stream {
        #expect(one == .failed(reason: Notifier.interrupted))
        break
      }
    }
    #expect(courier.all.isEmpty)
    #expect(try await rows(store, failed: true).map(\.reason) == [Notifier.interrupted])
  }

  /// One that goes to several browsers was not interrupted several times.
  @Test func afterACrashItIsSentOnceMoreToSeveralBrowsers() async throws {
    let store = try await open()
    try await add([entry(1)], to: store)
    let lost = FakeCourier(isLost: true, ways: 3)
    let notifier = Notifier(
      try OutboxFile(path: store.path), Homes.configuration().notifications, courier: lost
    ) { _ in }
    let task = Task { await notifier.run() }
    await lost.wait(for: 1)
    task.cancel()
    let courier = FakeCourier()
    try await run(store, courier) { _ in await courier.wait(for: 1) }
    #expect(courier.all == ["left-1"])
    #expect(try await rows(store).isEmpty)
  }

  /// A home runs for years.
  @Test func whatIsOutIsForgottenAfterAMonth() async throws {
    let store = try await open()
    let (clock, courier) = (SteppedClock(), FakeCourier())
    let notifier = Notifier(
      try OutboxFile(path: store.path), Homes.configuration().notifications, courier: courier,
      clock: clock.clock
    ) { _ in }
    func sent() async throws -> [String] {
      try await store.read { (database: borrowing HomeDatabase) throws(DeviceStoreError) in
        try OutboxTable.sent(since: 0, in: database.connection)
      }.map(\.entry.message.firing)
    }
    let task = Task { await notifier.run() }
    try await add([Homes.entry(1, at: clock.clock.now().microseconds)], to: store)
    notifier.wake()
    await courier.wait(for: 1)
    while try await sent().isEmpty { await Task.yield() }
    clock.pass(.seconds(31 * 86_400))
    try await add([Homes.entry(2, at: clock.clock.now().microseconds)], to: store)
    notifier.wake()
    await courier.wait(for: 2)
    #expect(try await !sent().contains("left-1"))
    await notifier.stop(within: .seconds(60))
    await task.value
  }

  @Test func whatWasPutAsideCanBeTriedAgain() async throws {
    let store = try await open()
    let courier = FakeCourier([.refused("550")])
    try await add([entry(1)], to: store)
    let news = AsyncStream<Notifier.News>.makeStream()
    try await run(store, courier, telling: news.continuation) { notifier in
      for await one in news.stream where one == .failed(reason: "550") { break }
      while try await rows(store, failed: true).isEmpty { await Task.yield() }
      #expect(try await notifier.retry(1))
      await courier.wait(for: 2)
      #expect(try await !notifier.retry(7))
    }
    #expect(courier.all == ["left-1", "left-1"])
    #expect(try await rows(store).isEmpty)
  }

  @Test(.enabled(if: SmallDisk.isPossible, "no small disk can be mounted"))
  func onAFullDiskItIsSentAllTheSame() async throws {
    let disk = try #require(SmallDisk())
    let store = try await HomeStore.open(in: StateDirectory(path: disk.path))
    let courier = FakeCourier()
    try await add([entry(1)], to: store)
    let news = AsyncStream<Notifier.News>.makeStream()
    try disk.fill()
    try await run(store, courier, telling: news.continuation) { notifier in
      await courier.wait(for: 1)
      var stream = news.stream.makeAsyncIterator()
      guard case .unrecorded = await stream.next() else {
        Issue.record("nobody is told of the full disk")
        return
      }
      try disk.free()
      notifier.wake()
      #expect(await stream.next() == .recorded)
    }
    #expect(courier.all == ["left-1"])
    #expect(try await rows(store).isEmpty)
  }

  @Test func aRollBackLeavesNothing() async throws {
    struct Stop: Error {}
    let store = try await open()
    await #expect(throws: DeviceStoreError.self) {
      try await store.transaction { (database: borrowing HomeDatabase) throws(DeviceStoreError) in
        try OutboxTable.add([Homes.entry(1, at: 0)], to: database.connection)
        try database.connection.execute("no statement")
      }
    }
    #expect(try await rows(store).isEmpty)
  }
}
