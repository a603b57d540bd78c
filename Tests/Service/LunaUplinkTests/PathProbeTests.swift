import Testing
import UplinkProtocol

@testable import LunaUplink

@Suite(.timeLimit(.minutes(10))) struct PathProbeTests {
  /// Nobody is on the way to this machine, and nobody listens where the datagrams go.
  @Test func thisMachineIsNear() async throws {
    let server = try await ServerAddress.find("127.0.0.1")
    let path = PathProbe.path(to: server)
    #expect(path == NetworkPath([], to: "127.0.0.1"))
  }

  @Test(arguments: [
    ("https://127.0.0.1:1", "https://127.0.0.1:2", LocalizationError.Kind.sameServer),
    ("https://127.0.0.1:1", "https://127.0.0.2:1", .noFork),
  ])
  func refusesPathsThatDoNotPart(
    _ first: String, _ second: String, _ kind: LocalizationError.Kind
  ) async throws {
    let one = try await HostPlace.find(first, authorities: nil)
    let other = try await HostPlace.find(second, authorities: nil)
    let error = await #expect(throws: LocalizationError.self) {
      _ = try await PathProbe.pair(one, other, isForced: false)
    }
    #expect(error?.kind == kind)
  }
}
