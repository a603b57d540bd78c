import Diagnosis
import Foundation
import Glibc
import LunaJSON
import LunaTesting
import Testing

@testable import LunaHome

/// Conversations with a home that runs.
@Suite(.timeLimit(.minutes(10))) struct HomeCallsTests {
  private let folder = TestFolder()

  /// A home that answers each line with the next of some, and ends.
  private func serve(_ answers: [String]) throws {
    let listener = try UnixSocket.listen(in: folder.path, name: "home.sock")
    Thread.detachNewThread {
      let socket = accept(listener, nil, nil)
      defer {
        close(socket)
        close(listener)
      }
      var byte: UInt8 = 0
      for answer in answers {
        repeat {
          guard read(socket, &byte, 1) == 1 else { return }
        } while byte != UInt8(ascii: "\n")
        guard UnixSocket.send(answer, to: socket) else { return }
      }
    }
  }

  private func failure(_ body: () async throws -> Void) async -> HomeCallError? {
    do {
      try await body()
      return nil
    } catch {
      return error as? HomeCallError
    }
  }

  @Test func saysThatNoHomeRuns() throws {
    let error = try #require(throws: HomeCallError.self) { try HomeCalls(state: folder.path) }
    #expect(error.kind == .notRunning && error.reason == "no home runs in \(folder.path)")
    let calls = try HomeCalls.running(in: folder.path)
    #expect(calls == nil)
  }

  @Test func callsAndIsAnswered() async throws {
    try serve([
      #"{"command":{"id":7}}"# + "\n" + #"{"id":1,"result":true}"#,
      #"{"id":2,"error":{"code":"notFound","reason":"no such rule","hint":"name another"}}"#,
      "no answer",
    ])
    let calls = try HomeCalls(state: folder.path)
    let result = try await calls.call("run", ["rule": "x"])
    #expect(result == true)
    // What it told meanwhile is not lost.
    let change = try await calls.next()
    #expect(change["command"] == ["id": 7])
    let refusal = await failure { _ = try await calls.call("run", ["rule": "y"]) }
    #expect(refusal?.kind == .refused(.notFound) && refusal?.reason == "no such rule")
    #expect(refusal?.remedy == "name another")
    let nonsense = await failure { _ = try await calls.call("run", ["rule": "z"]) }
    #expect(nonsense == .unreadable)
    let end = await failure { _ = try await calls.call("run", ["rule": "z"]) }
    #expect(end?.kind == .ended)
  }
}
