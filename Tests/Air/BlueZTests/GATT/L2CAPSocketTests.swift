import Bluetooth
import EventLoop
import Glibc
import LunaTesting
import Synchronization
import Testing

@testable import BlueZ

@Suite(.timeLimit(.minutes(10))) struct L2CAPSocketTests {
  private static let own = BluetoothAddress(value: 0x0000_1122_3344_55)
  private static let peer = GATTPeer(BluetoothAddress(value: 0xE71A_0000_0001), .random)

  /// Owns a bearer, on the reactor.
  private actor Owner: ReactorActor, ATTBearerOwner {
    nonisolated let reactor = Reactor.shared

    /// What it was told.
    struct Told: Sendable {
      var pdus: [[UInt8]] = []
      var end: GATTError?
      var wasReady = false
    }

    nonisolated let told = Watched(Told())
    nonisolated var end: GATTError? { told.value.end }
    nonisolated var wasReady: Bool { told.value.wasReady }

    func start(_ socket: L2CAPSocket) { socket.start(self) }
    func send(_ pdu: [UInt8], on socket: L2CAPSocket) { socket.send(pdu) }
    func close(_ socket: L2CAPSocket) { socket.close() }
    func isCongested(_ socket: L2CAPSocket) -> Bool { socket.isCongested }

    nonisolated func received(_ pdu: [UInt8]) { told.withLock { $0.pdus.append(pdu) } }
    nonisolated func bearerIsReady() { told.withLock { $0.wasReady = true } }
    nonisolated func bearerEnded(_ error: GATTError) { told.withLock { $0.end = error } }

    nonisolated func ended(_ kind: GATTError.Kind) async throws {
      try await told.until { $0.end?.kind == kind }
    }
  }

  private let owner = Owner()

  private func socket(_ kernel: FakeKernel) -> L2CAPSocket {
    L2CAPSocket(
      reactor: .shared, host: kernel, adapter: 0, peer: L2CAPSocketTests.peer,
      endLimit: .seconds(600))
  }

  private func connected(_ kernel: FakeKernel) async throws -> L2CAPSocket {
    let socket = socket(kernel)
    try await socket.connect(from: L2CAPSocketTests.own, within: .seconds(600))
    await owner.start(socket)
    return socket
  }

  private func end(_ kernel: FakeKernel) -> Int32 { kernel.state.withLock { $0.peers[0] } }

  @Test func connectsNoMoreOnceItIsClosed() async {
    let kernel = FakeKernel()
    let socket = socket(kernel)
    await owner.close(socket)
    let error = await #expect(throws: GATTError.self) {
      try await socket.connect(from: L2CAPSocketTests.own, within: .seconds(600))
    }
    #expect(error?.kind == .abortedLocally)
    #expect(kernel.state.withLock { $0.peers.isEmpty })
  }

  @Test func carriesPDUs() async throws {
    let kernel = FakeKernel()
    let socket = try await connected(kernel)
    await owner.send([1, 2, 3], on: socket)
    var bytes = [UInt8](repeating: 0, count: 16)
    var count = 0
    try await waitUntil {
      count = max(count, recv(end(kernel), &bytes, 16, Int32(MSG_DONTWAIT)))
      return count == 3
    }
    #expect(bytes[..<3] == [1, 2, 3])
    #expect(write(end(kernel), [9, 8] as [UInt8], 2) == 2)
    try await owner.told.until { $0.pdus == [[9, 8]] }
    await owner.close(socket)
    try await owner.ended(.abortedLocally)
    #expect(read(end(kernel), &bytes, 16) == 0)
  }

  @Test func tellsTheEndWhenTheLinkIsDown() async throws {
    let kernel = FakeKernel { $0.lowEnergyLinks = [L2CAPSocketTests.peer.address] }
    let socket = try await connected(kernel)
    await owner.close(socket)
    // It asks again and again.
    try await kernel.linkQueries.until { $0 >= 3 }
    #expect(owner.end == nil)
    kernel.state.withLock { $0.lowEnergyLinks = [] }
    try await owner.ended(.abortedLocally)
  }

  @Test func noticesThatThePeerHasLeft() async throws {
    let kernel = FakeKernel()
    let socket = try await connected(kernel)
    close(end(kernel))
    try await owner.ended(.abortedByPeer)
    await owner.close(socket)
    await owner.send([1], on: socket)
  }

  @Test func noticesThatTheAdapterIsGone() async throws {
    let kernel = FakeKernel()
    let socket = try await connected(kernel)
    kernel.state.withLock { $0.isUp = false }
    close(end(kernel))
    try await owner.ended(.adapterLost)
    _ = socket
  }

  @Test func saysWhenItIsCongested() async throws {
    let kernel = FakeKernel()
    let socket = try await connected(kernel)
    var sent = 0
    while await !owner.isCongested(socket) {
      await owner.send([UInt8](repeating: 0, count: 500), on: socket)
      sent += 1
      try #require(sent < 100_000)
    }
    #expect(!owner.wasReady)
    var bytes = [UInt8](repeating: 0, count: 600)
    var received = 0
    try await waitUntil {
      while recv(end(kernel), &bytes, 600, Int32(MSG_DONTWAIT)) == 500 { received += 1 }
      return received == sent
    }
    try await owner.told.until { $0.wasReady }
    await owner.close(socket)
  }

  @Test func endsALinkWhosePeerTakesNothing() async throws {
    let kernel = FakeKernel()
    let socket = try await connected(kernel)
    var sent = 0
    while owner.end == nil {
      await owner.send([UInt8](repeating: 0, count: 500), on: socket)
      sent += 1
      try #require(sent < 100_000)
    }
    #expect(owner.end?.kind == .timedOut)
    var query = pollfd(fd: end(kernel), events: Int16(POLLIN), revents: 0)
    try await waitUntil { poll(&query, 1, 0) == 1 && query.revents & Int16(POLLHUP) != 0 }
  }

  @Test(arguments: [
    (ETIMEDOUT, GATTError.Kind.outOfRange), (EHOSTDOWN, .outOfRange), (EBUSY, .busy),
    (ECONNREFUSED, .refused), (ECONNRESET, .abortedByPeer), (ECONNABORTED, .abortedLocally),
    (ENETDOWN, .adapterLost), (EHOSTUNREACH, .adapterLost), (ENOSYS, .abortedLocally),
  ])
  func classifiesErrors(_ number: Int32, _ kind: GATTError.Kind) async {
    let socket = socket(FakeKernel { $0.connectError = number })
    do throws(GATTError) {
      try await socket.connect(from: L2CAPSocketTests.own, within: .seconds(600))
      Issue.record("no error")
    } catch {
      #expect(error.kind == kind)
      #expect(error.operation == "connect")
    }
  }

  @Test func connectsFromAnAdapterWithAStaticAddress() async throws {
    let kernel = FakeKernel { $0.isPublicAddress = false }
    let socket = socket(kernel)
    try await socket.connect(from: BluetoothAddress(value: 0xC000_0000_0009), within: .seconds(600))
    await owner.start(socket)
    await owner.close(socket)
  }
}
