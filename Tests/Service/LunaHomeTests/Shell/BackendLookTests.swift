import LunaCore
import LunaTesting
import Testing

@testable import LunaHome

/// What somebody who looks at a home is told of its backend, however seldom that is fetched from.
@Suite(.timeLimit(.minutes(10))) struct BackendLookTests {
  private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"

  private func next(_ changes: inout AsyncStream<HomeChange>.Iterator) async -> HomeLink? {
    while let change = await changes.next() {
      if case .link("backend", let link) = change.event { return link }
    }
    return nil
  }

  @Test func seesThatItIsGoneAndThatItIsBack() async throws {
    let clock = SteppedClock()
    let answer = BackendLookTests.answer
    let server = ScriptedServer([answer, "", answer, answer])
    let bench = try ShellBench("{}", backend: server.url, clock: clock.clock)
    var changes = await bench.home.changes().makeAsyncIterator()
    try await bench.home.start()
    let first = await next(&changes)
    #expect(first?.state == .works)
    await bench.home.noteLook()
    // Not twice at a time.
    await bench.home.noteLook()
    let lost = await next(&changes)
    #expect(lost?.state == .lost && lost?.text != server.url)
    clock.pass(.seconds(9))
    await bench.home.noteLook()
    // It is fetched from at once, which is otherwise due in five minutes.
    let back = await next(&changes)
    #expect(back?.state == .works && back?.text == server.url)
    #expect(server.requests.count == 4)
    #expect(server.requests.allSatisfy { $0.hasPrefix("GET /healthz ") })
    await bench.home.stop()
  }

  /// A fetch may take as long as any request, but whoever looks does not wait for it.
  @Test func seesThatItIsGoneWhileItIsFetchedFrom() async throws {
    let server = ScriptedServer([nil, ""])
    let bench = try ShellBench(
      #"{"trackers":[{"id":"keys","name":"Keys","device":"Keys"}]}"#,
      devices: [Samples.device(1, name: "Keys")], backend: server.url,
      clock: SteppedClock().clock)
    var changes = await bench.home.changes().makeAsyncIterator()
    try await bench.home.start()
    try await waitUntil { server.requests.count == 1 }
    await bench.home.noteLook()
    let lost = await next(&changes)
    #expect(lost?.state == .lost)
    // It is the second request, and the first still waits for its answer.
    #expect(server.requests.map { $0.prefix(13) } == ["POST /v1/even", "GET /healthz "])
    server.hangUp()
    await bench.home.stop()
  }

  @Test func withoutOneNothingIsAsked() async throws {
    let bench = try ShellBench("{}")
    try await bench.home.start()
    await bench.home.noteLook()
    let backend = await bench.home.snapshot().backend
    #expect(backend == nil)
    await bench.home.stop()
  }
}
