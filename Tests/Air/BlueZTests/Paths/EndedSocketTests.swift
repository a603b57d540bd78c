import Bluetooth
import Diagnosis
import EventLoop
import Glibc
import HCIHost
import Synchronization
import Testing

@testable import BlueZ

/// What happens when the kernel ends a socket: a descriptor that has failed stays ready for ever.
@Suite(.timeLimit(.minutes(10)))
struct EndedSocketTests {
  private let reactor = Reactor(name: "ended-socket")
  private let kernel = FakeKernel([0: FakeAdapter(settings: 1 << 9 | 1)])

  private func faults() -> (ScanOutlet, AsyncStream<SourceError?>) {
    let (stream, continuation) = AsyncStream<SourceError?>.makeStream()
    return (ScanOutlet(queue: ReportQueue(capacity: 100)) { continuation.yield($0) }, stream)
  }

  private func first(_ stream: AsyncStream<SourceError?>) async -> SourceError? {
    for await fault in stream { return fault }
    return nil
  }

  private static let endings: [(Bool, String)] = [
    (true, " (recvmmsg: Connection reset by peer)"), (false, ""),
  ]

  @Test(arguments: endings)
  func endsTheSessionOnTheMonitorChannel(withError: Bool, reason: String) async throws {
    let (outlet, faults) = faults()
    let session = ObserveSession(
      reactor: reactor, outlet: outlet, host: kernel, target: AdapterTarget(nil),
      options: ScanOptions())
    _ = try await session.open()
    kernel.endMonitors(withError: withError)
    let fault = await first(faults)
    #expect(fault?.kind == .lost)
    #expect(fault?.reason == "the kernel's monitor channel has ended\(reason)")
    await session.close()
  }

  @Test(arguments: endings)
  func endsTheSessionOnTheControlChannel(withError: Bool, reason: String) async throws {
    let (outlet, faults) = faults()
    let session = MgmtSession(
      reactor: reactor, outlet: outlet, host: kernel, target: AdapterTarget(nil),
      options: ScanOptions())
    _ = try await session.open()
    await kernel.endControls(withError: withError)
    let fault = await first(faults)
    #expect(fault?.kind == .lost)
    #expect(fault?.reason == "the kernel's management socket has ended\(reason)")
    await session.close()
  }

  @Test func failsTheCommandsThatWait() async throws {
    let asked = AsyncStream<Void>.makeStream()
    kernel.state.withLock { state in
      state.silent = [MgmtOpcode.readIndexList]
      state.onCommand = { _ in asked.continuation.yield() }
    }
    let socket = MgmtSocket(reactor: reactor)
    try await socket.open(on: kernel)
    let answer = Task { () async -> MgmtError? in
      do throws(MgmtError) {
        _ = try await socket.send(MgmtOpcode.readIndexList, within: .seconds(600))
        return nil
      } catch {
        return error
      }
    }
    for await _ in asked.stream { break }
    await kernel.endControls(withError: true)
    let reset = SystemCallError("recvmmsg", ECONNRESET)
    let expected = MgmtError(opcode: MgmtOpcode.readIndexList, reason: .call(reset))
    #expect(await answer.value == expected)
    await socket.close()
  }
}
