import EventLoop
import Testing
import UplinkProtocol

@testable import LunaUplink

/// What the kernel tells of a connection, on loopback.
@Suite(.timeLimit(.minutes(10))) struct SocketCountersTests {
  @Test func countsWhatComes() async throws {
    let server = try TestServer()
    server.serve(1) { client in
      _ = client.receive(1)
      client.send([UInt8](repeating: 7, count: 100_000))
      _ = client.receive(1)
    }
    let port = server.port
    let counted = try await Blocking.run {
      () throws -> (bytes: Int, received: Int, handed: Int, exchanged: Int) in
      let socket = try #require(TestSocket(port: port))
      let before = try #require(FlowCounters(of: socket.descriptor))
      socket.send("x")
      let bytes = socket.receive(100_000).count
      let after = try #require(FlowCounters(of: socket.descriptor))
      return (bytes, after.received(since: before), after.handed, after.exchanged)
    }
    #expect(counted.bytes == 100_000 && counted.received > 0)
    #expect(counted.handed == 1)
    // However many packets there were.
    #expect(counted.exchanged > 100_000 && counted.exchanged < 101_000)
    withExtendedLifetime(server) {}
  }
}
