import LunaCore
import LunaStore
import Testing

@testable import LunaHome

/// What a home keeps of what it tells brokers.
@Suite struct BrokerMemoryTests {
  @Test func keepsWhatWasToldUntilItWasTakenBack() {
    var memory = BrokerMemory()
    #expect(memory.levels(at: "a:1883").isEmpty)
    memory.add(["keys", "lamp"], under: "luna/home", at: "a:1883")
    // Another file, another name of the home, another broker.
    memory.add(["keys", "bike"], under: "luna/home", at: "a:1883")
    memory.add(["keys"], under: "luna/flat", at: "a:1883")
    memory.add(["keys"], under: "luna/flat", at: "b:1883")
    var next = BrokerMemory(kept: memory.bytes)
    #expect(next == memory)
    #expect(
      next.levels(at: "a:1883") == ["luna/home": ["keys", "lamp", "bike"], "luna/flat": ["keys"]])
    next.settle(["keys"], under: "luna/flat", at: "a:1883")
    #expect(next.levels(at: "a:1883") == ["luna/flat": ["keys"]])
    #expect(next.levels(at: "b:1883") == ["luna/flat": ["keys"]])
  }

  @Test(arguments: ["", "[]", "{\"told\":{\"a\":[]}}", "{}"])
  func whatCannotBeReadIsNothing(text: String) {
    #expect(BrokerMemory(kept: Array(text.utf8)) == BrokerMemory())
    #expect(BrokerMemory(kept: nil) == BrokerMemory())
  }

  /// Rules and trackers come and go in the same place.
  @Test func staysWhereTheStateOfRulesIs() async throws {
    let bench = try ShellBench(#"{"trackers": [{"id": "t"}]}"#)
    var memory = BrokerMemory()
    memory.add(["keys"], under: "luna/home", at: "a:1883")
    let bytes = try #require(memory.bytes)
    let store = try await HomeStore.open(in: StateDirectory(path: bench.path))
    try await store.transaction { (database: borrowing HomeDatabase) throws(DeviceStoreError) in
      try database.save([BrokerMemory.part: bytes])
    }
    await store.close()
    // A file without a broker forgets nothing.
    try await bench.home.start()
    await bench.home.stop()
    let reader = try #require(try await HomeStore.reading(in: StateDirectory(path: bench.path)))
    let parts = try await reader.read {
      (database: borrowing HomeDatabase) throws(DeviceStoreError) in try database.parts()
    }
    #expect(BrokerMemory(kept: parts[BrokerMemory.part]) == memory)
  }
}
