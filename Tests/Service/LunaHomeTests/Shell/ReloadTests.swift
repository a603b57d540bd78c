import LunaJSON
import LunaStore
import Synchronization
import Testing

@testable import LunaHome

/// Another file while the home works.
@Suite(.timeLimit(.minutes(10))) struct ReloadTests {
  private static let steady =
    #"{"id":"steady","cooldown":"1h","when":[{"message":"go"}],"then":[{"rule":{"do":"resume"}}]}"#

  private func file(_ variant: String) -> String {
    let rules = ["p", "q"].map { id in
      """
      {"id": "\(id)", "name": "\(variant)", "cooldown": "0s", "maxPerHour": 3600,
        "when": [{"message": "go"}], "then": [{"rule": {"do": "resume"}}]}
      """
    }
    return "{\"rules\": [\((rules + [Self.steady]).joined(separator: ","))]}"
  }

  @Test func aThousandReloadsLoseNoInputAndShowNoHalfFile() async throws {
    let bench = try ShellBench(file("A"))
    let home = bench.home
    try await home.start()
    async let inputs: Void = {
      for _ in 0..<1000 {
        await home.message("go")
        await Task.yield()
      }
    }()
    for number in 0..<1000 {
      bench.write(number % 3 == 2 ? "{\"rules\": [" : file(number % 2 == 0 ? "B" : "A"))
      let problems = try await home.reload()
      #expect(problems.contains { $0.level == .error } == (number % 3 == 2))
    }
    await inputs
    await home.stop()
    let p = try await bench.records(of: "p", [.firing])
    let q = try await bench.records(of: "q", [.firing])
    #expect(p.count == 1000)
    #expect(q.count == 1000)
    // Of one input both were of one file.
    let variants = ["A", "B"].map { variant in
      let configuration = HomeConfiguration(HomeFile(Array(file(variant).utf8)))
      return Dictionary(
        uniqueKeysWithValues: configuration.rules.map { ($0.id, JSONValue.string($0.hash)) })
    }
    for (one, other) in zip(p, q) {
      let (a, b) = (hash(one), hash(other))
      #expect(variants.contains { $0["p"] == a && $0["q"] == b })
    }
    // What did not change keeps what it knows.
    #expect(try await bench.records(of: "steady", [.firing]).count == 1)
    #expect(try await bench.records(of: "steady", [.held]).count == 999)
  }

  private func hash(_ record: HomeRecord) -> JSONValue? {
    if case .object(let object) = record.json { object["hash"] } else { nil }
  }

  /// Else what one has read could hold although another has read it later.
  @Test func theFileIsReadByOneAtATime() async throws {
    let loads = Mutex((now: 0, most: 0))
    let bench = try ShellBench(
      file("A"),
      onLoad: {
        loads.withLock {
          $0.now += 1
          $0.most = max($0.most, $0.now)
        }
        for _ in 0..<100 { await Task.yield() }
        loads.withLock { $0.now -= 1 }
      })
    let home = bench.home
    try await home.start()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 { group.addTask { _ = try await home.reload() } }
      try await group.waitForAll()
    }
    let most = loads.withLock { $0.most }
    #expect(most == 1)
    await home.stop()
  }

  @Test func aBadFileIsTold() async throws {
    let bench = try ShellBench(file("A"))
    let home = bench.home
    try await home.start()
    bench.write("{]")
    #expect(try await !home.reload().isEmpty)
    #expect(await home.snapshot().notices.map(\.kind) == [.badFile])
    #expect(await home.rules().map(\.summary.name) == ["A", "A", "steady"])
    bench.write(file("B"))
    #expect(try await home.reload().isEmpty)
    #expect(await home.snapshot().notices.isEmpty)
    #expect(await home.rules().map(\.summary.name) == ["B", "B", "steady"])
    await home.stop()
  }
}
