import EventLoop
import HCIHost
import Testing

@testable import BlueZ

@Suite(.timeLimit(.minutes(10)))
struct MgmtSocketTests {
  private let kernel = FakeKernel([0: FakeAdapter(settings: 1 << 9 | 1)])

  /// Where a task has an executor of its own, others have their turn on the reactor between its lines.
  @Test func hearsAnswersThatComeAtOnceToTasksOnTheirOwnThread() async throws {
    let socket = MgmtSocket(reactor: Reactor(name: "mgmt-socket"))
    try await socket.open(on: kernel)
    let tasks = BlockingTasks(name: "mgmt-commands")
    let answers = try await Task(executorPreference: tasks) { () throws -> [[UInt8]] in
      var answers: [[UInt8]] = []
      for _ in 0..<200 { answers.append(try await socket.send(MgmtOpcode.readIndexList)) }
      return answers
    }.value
    #expect(answers == Array(repeating: [1, 0, 0, 0], count: 200))
    await socket.close()
  }

  @Test func sendsNothingOnceItIsClosed() async {
    let socket = MgmtSocket(reactor: Reactor(name: "mgmt-socket"))
    let closed = MgmtError(opcode: MgmtOpcode.readIndexList, reason: .closed)
    await #expect(throws: closed) { try await socket.send(MgmtOpcode.readIndexList) }
  }
}
