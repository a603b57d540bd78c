import LunaJSON
import LunaStore
import LunaTesting
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

  /// What is done while a file is being read.
  private final class Meanwhile: Sendable {
    private let work = Mutex<(@Sendable () async -> Void)?>(nil)

    func set(_ work: (@Sendable () async -> Void)?) { self.work.withLock { $0 = work } }

    func run() async {
      let work = work.withLock { $0 }
      await work?()
    }
  }

  /// A thousand inputs a second, each while a file has been read and does not hold yet; every third file is bad.
  @Test func aThousandReloadsLoseNoInputAndShowNoHalfFile() async throws {
    let (clock, meanwhile) = (SteppedClock(), Meanwhile())
    let bench = try ShellBench(
      file("A"), clock: clock.clock, onLoad: { await meanwhile.run() })
    let home = bench.home
    try await home.start()
    meanwhile.set {
      clock.pass(.milliseconds(1))
      await home.message("go")
    }
    // By which file each input is to be judged: the one before, until the other one holds.
    var (judges, holds): ([String], String) = ([], "A")
    for number in 0..<1000 {
      judges.append(holds)
      let isBad = number % 3 == 2
      let variant = number % 2 == 0 ? "B" : "A"
      bench.write(isBad ? "{\"rules\": [" : file(variant))
      let problems = try await home.reload()
      #expect(problems.contains { $0.level == .error } == isBad)
      if !isBad { holds = variant }
    }
    meanwhile.set(nil)
    #expect(clock.elapsed == .seconds(1))
    await home.stop()
    let variants = ["A", "B"].map { variant in
      let configuration = HomeConfiguration(HomeFile(Array(file(variant).utf8)))
      return (variant, configuration.rules)
    }
    let hashes = Dictionary(uniqueKeysWithValues: variants)
    #expect(judges.count { $0 == "A" } > 300 && judges.count { $0 == "B" } > 300)
    for rule in ["p", "q"] {
      let records = try await bench.records(of: rule, [.firing]).reversed()
      let expected = judges.map { variant in
        hashes[variant]?.first { $0.id == rule }.map { JSONValue.string($0.hash) }
      }
      #expect(records.map { hash($0) } == expected)
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
