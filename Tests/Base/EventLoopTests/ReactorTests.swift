import Glibc
import Synchronization
import Testing

@testable import EventLoop

@Suite(.timeLimit(.minutes(10))) struct ReactorTests {
  /// An actor that lives on a reactor.
  private actor Resident: ReactorActor {
    nonisolated let reactor: Reactor
    var order: [Int] = []
    var watches: [ReactorWatch] = []
    var timers: [ReactorTimer] = []
    private var isOver = false
    /// How long it took to set the timers.
    private var setting = Duration.zero

    init(_ reactor: Reactor) { self.reactor = reactor }

    /// The order in which timers of these milliseconds come; nil when it took so long to set them that their times are
    /// no longer as far apart.
    func schedule(_ delays: [Int]) async -> [Int]? {
      let began = ContinuousClock.now
      let came: [Int] = await withCheckedContinuation { continuation in
        for (number, delay) in delays.enumerated() {
          timers.append(
            reactor.schedule(after: .milliseconds(delay)) {
              self.assumeIsolated { resident in
                resident.order.append(number)
                if resident.order.count == delays.count {
                  continuation.resume(returning: resident.order)
                }
              }
            })
        }
        setting = began.duration(to: .now)
      }
      return setting < .milliseconds(100) ? came : nil
    }

    func firstOfTwo(cancelling: Bool) async -> [Int] {
      await withCheckedContinuation { continuation in
        let doomed = reactor.schedule(after: .milliseconds(5)) {
          self.assumeIsolated { $0.order.append(1) }
        }
        if cancelling { doomed.cancel() }
        timers.append(
          reactor.schedule(after: .milliseconds(30)) {
            self.assumeIsolated { continuation.resume(returning: $0.order) }
          })
      }
    }

    /// Reads from a descriptor until its other end is closed.
    func read(_ descriptor: Int32) async -> [UInt8] {
      var bytes: [UInt8] = []
      return await withCheckedContinuation { continuation in
        let watch = reactor.watch(descriptor, for: .readable) { _ in
          var byte: UInt8 = 0
          if Glibc.read(descriptor, &byte, 1) == 1 {
            bytes.append(byte)
          } else {
            self.assumeIsolated { $0.watches.removeFirst().cancel() }
            continuation.resume(returning: bytes)
          }
        }
        watches.append(watch)
      }
    }

    /// Watches one descriptor twice; returns what each watch got.
    func watchTwice(_ descriptor: Int32) async -> (readable: Interest, writable: Interest) {
      await withCheckedContinuation { continuation in
        var first: Interest?
        let reading = reactor.watch(descriptor, for: .readable) { ready in
          if first == nil { first = ready }
        }
        let writing = reactor.watch(descriptor, for: .writable) { ready in
          guard let got = first else { return }
          self.assumeIsolated { resident in
            for watch in resident.watches { watch.cancel() }
            resident.watches = []
          }
          continuation.resume(returning: (got, ready))
        }
        watches = [reading, writing]
      }
    }

    /// Sets a timer for at once whenever one has come, until ``end()``.
    func repeats(_ begun: AsyncStream<Void>.Continuation) async {
      await withCheckedContinuation { continuation in again(continuation, begun) }
    }

    private func again(
      _ continuation: CheckedContinuation<Void, Never>, _ begun: AsyncStream<Void>.Continuation
    ) {
      guard !isOver else { return continuation.resume() }
      timers = [
        reactor.schedule(after: .zero) {
          begun.finish()
          self.assumeIsolated { $0.again(continuation, begun) }
        }
      ]
    }

    func end() { isOver = true }

    func isHere() -> Bool { reactor.isIsolatingCurrentContext() == true }
  }

  private let reactor = Reactor(name: "test-reactor")

  @Test func runsTimersInTheOrderOfTheirTimes() async {
    var order: [Int]?
    while order == nil { order = await Resident(reactor).schedule([900, 300, 600, 600, 0]) }
    #expect(order == [4, 1, 2, 3, 0])
  }

  @Test(arguments: [(true, []), (false, [1])]) func cancelsATimer(
    _ cancelling: Bool, _ expected: [Int]
  ) async {
    #expect(await Resident(reactor).firstOfTwo(cancelling: cancelling) == expected)
  }

  @Test func runsActorsOnItsThread() async {
    #expect(await Resident(reactor).isHere())
    #expect(reactor.isIsolatingCurrentContext() == false)
  }

  @Test func tellsWhenADescriptorIsReady() async {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    let writer = ends[1]
    let writing = Task.detached {
      for byte: UInt8 in 1...5 {
        var byte = byte
        _ = write(writer, &byte, 1)
        try? await Task.sleep(for: .milliseconds(1))
      }
      close(writer)
    }
    #expect(await Resident(reactor).read(ends[0]) == [1, 2, 3, 4, 5])
    await writing.value
    close(ends[0])
  }

  @Test func servesSeveralWatchesOfOneDescriptor() async {
    var ends: [Int32] = [0, 0]
    #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    var byte: UInt8 = 1
    _ = write(ends[1], &byte, 1)
    let (readable, writable) = await Resident(reactor).watchTwice(ends[0])
    #expect(readable == .readable)
    #expect(writable == .writable)
    close(ends[0])
    close(ends[1])
  }

  @Test func takesJobsFromManyThreads() async {
    let resident = Resident(reactor)
    let here = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<500 { group.addTask { await resident.isHere() } }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(here == 500)
  }

  /// An actor that begins to watch and is then forgotten.
  private actor Forgetful: ReactorActor {
    nonisolated let reactor: Reactor

    init(_ reactor: Reactor) { self.reactor = reactor }

    func watch(_ descriptor: Int32) { _ = onReady(descriptor, for: .readable) { _, _ in } }
  }

  /// Who looks after the actors of others.
  private actor Keeper: ReactorActor {
    nonisolated let reactor: Reactor
    private var left: ReactorWatch?
    private var awaited: ReactorWatch?

    init(_ reactor: Reactor) { self.reactor = reactor }

    func isWatched(_ descriptor: Int32) -> Bool { reactor.isWatched(descriptor) }

    /// Begins to watch; returns when the descriptor is ready.
    func wait(_ descriptor: Int32) async {
      await withCheckedContinuation { continuation in
        awaited = reactor.watch(descriptor, for: .readable) { _ in
          self.assumeIsolated { $0.awaited?.cancel() }
          continuation.resume()
        }
      }
    }

    func leave(_ descriptor: Int32) {
      left = reactor.watch(descriptor, for: .readable) { _ in }
    }
  }

  @Test func timersForAtOnceLetOthersHaveATurn() async {
    let resident = Resident(Reactor(name: "at-once"))
    let (begun, inlet) = AsyncStream.makeStream(of: Void.self)
    async let over: Void = resident.repeats(inlet)
    for await _ in begun {}
    await resident.end()
    await over
  }

  /// Nobody would read what has come, and the reactor would be told of it without end.
  @Test func endsTheWatchOfAnActorThatIsGone() async throws {
    let reactor = Reactor(name: "gone")
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    await Forgetful(reactor).watch(ends[0])
    let keeper = Keeper(reactor)
    #expect(await keeper.isWatched(ends[0]))
    try #require(write(ends[1], "x", 1) == 1)
    while await keeper.isWatched(ends[0]) { await Task.yield() }
  }

  /// A descriptor that was closed before its watch was cancelled does not spoil the next file that
  /// gets its number.
  @Test func watchesAnotherFileUnderTheSameNumber() async throws {
    let reactor = Reactor(name: "number")
    let keeper = Keeper(reactor)
    var first: [Int32] = [0, 0]
    var second: [Int32] = [0, 0]
    try #require(pipe(&first) == 0 && pipe(&second) == 0)
    defer { for end in [first[0], first[1], second[0], second[1]] { close(end) } }
    await keeper.leave(first[0])
    try #require(dup2(second[0], first[0]) == first[0])
    try #require(write(second[1], "x", 1) == 1)
    await keeper.wait(first[0])
  }
}
