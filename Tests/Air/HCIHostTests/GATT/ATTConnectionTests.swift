import Bluetooth
import EventLoop
import Testing

@testable import HCIHost

@Suite(.timeLimit(.minutes(10)))
struct ATTConnectionTests {
  /// A link that is down as soon as the reactor comes round to it.
  private final class QuickBearer: ATTBearer {
    nonisolated(unsafe) var owner: (any ATTBearerOwner)?
    private let reactor: Reactor

    init(_ reactor: Reactor) { self.reactor = reactor }

    func start(_ owner: any ATTBearerOwner) { self.owner = owner }
    func send(_ pdu: [UInt8]) {}
    var isCongested: Bool { false }
    func close() {
      let owner = owner
      self.owner = nil
      _ = reactor.schedule(after: .zero) {
        owner?.bearerEnded(GATTError(.abortedLocally, during: "connect", "it was closed"))
      }
    }
  }

  /// Where a task has an executor of its own, others have their turn on the reactor between its lines.
  @Test func disconnectsForTasksOnTheirOwnThread() async {
    let reactor = Reactor(name: "att-connection")
    let tasks = BlockingTasks(name: "att-users")
    for _ in 0..<20 {
      let bearer = QuickBearer(reactor)
      let connection = ATTConnection(reactor: reactor, bearer: bearer, limits: GATTLimits())
      bearer.owner = connection
      await Task(executorPreference: tasks) { await connection.disconnect() }.value
      #expect(await connection.hasEnded)
    }
  }
}
