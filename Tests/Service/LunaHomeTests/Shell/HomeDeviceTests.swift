import LunaCore
import LunaJSON
import LunaStore
import Synchronization
import Testing

@testable import LunaHome

/// Classes of devices that a program has registered.
@Suite(.timeLimit(.minutes(10))) struct HomeDeviceTests {
  /// Its light is twice what it is set to, and it knows a hum that no file names.
  private final class Twice: HomeDevice {
    private let hum = Mutex(1.0)

    init(_ model: HomeModel, _ tracker: HomeTracker) {}

    func value(of property: String, _ builtIn: PropertyValue?) -> PropertyValue? {
      switch (property, builtIn) {
      case ("light", .number(let number)?) where number <= 50: .number(number * 2)
      case ("hum", _): .number(hum.withLock { $0 })
      default: builtIn
      }
    }

    func perform(_ action: String, _ value: PropertyValue?) async throws(HomeError) -> Bool {
      if action == "break" { throw HomeError(.action, "it is broken") }
      guard action == "louder" else { return false }
      hum.withLock { $0 += 1 }
      return true
    }
  }

  /// Is never done with what it is asked for.
  private struct Stuck: HomeDevice {
    init(_ model: HomeModel, _ tracker: HomeTracker) {}

    func perform(_ action: String, _ value: PropertyValue?) async throws(HomeError) -> Bool {
      try? await Task.sleep(for: .seconds(36_000))
      return true
    }
  }

  /// Whoever asks again and again takes no more than that, and nothing from other trackers.
  @Test func onlySoMuchIsAskedOfATrackerAtOnce() async throws {
    let bench = try ShellBench(HomeDeviceTests.file, classes: ["Twice": Stuck.self])
    try await bench.home.start()
    for _ in 0..<LunaHome.mostAsked { _ = try await bench.home.perform("louder", on: "lamp") }
    await #expect { try await bench.home.perform("louder", on: "lamp") } throws: {
      ($0 as? HomeError)?.kind == .action
    }
    let other = try await bench.home.perform("set:light", on: "other", value: .number(40))
    #expect(other.state == "done")
    await bench.home.stop()
  }

  private static let file = """
    {"trackers": [{"id": "lamp", "model": "m"}, {"id": "other", "model": "n"}],
      "devices": [
        {"class": "Twice", "oemModel": "m", "managedProperties": [
          {"name": "light", "type": "number", "max": 100}, {"name": "hum", "type": "number", "max": 2}]},
        {"class": "Device", "oemModel": "n", "managedProperties": [{"name": "light", "type": "number", "max": 100}]}],
      "rules": [{"id": "bright", "cooldown": "0s", "level": "warn",
        "when": [{"property": {"who": "lamp", "property": "light", "above": 70}}], "then": [{"finder": "stop"}]}]}
    """

  /// What a home tells, in order. What comes while something else is waited for is not lost.
  private struct Told {
    private var changes: AsyncStream<HomeChange>.Iterator
    private var fired: [String] = []

    init(_ changes: AsyncStream<HomeChange>) { self.changes = changes.makeAsyncIterator() }

    private mutating func next() async -> HomeChange? {
      let change = await changes.next()
      if case .firing(let firing)? = change?.event { fired.append(firing.rule) }
      return change
    }

    /// Waits for what becomes of a command.
    mutating func end(of id: String) async -> HomeCommandRow? {
      while let change = await next() {
        if case .command(let row) = change.event, row.id == id, row.state != "begun" { return row }
      }
      return nil
    }

    /// Waits for a rule, which may have fired already.
    mutating func rule() async -> String? {
      while fired.isEmpty, await next() != nil {}
      return fired.first
    }
  }

  @Test func saysWhatPropertiesAreAndDoesWhatIsAsked() async throws {
    let bench = try ShellBench(Self.file, classes: ["Twice": Twice.self])
    let home = bench.home
    try await home.start()
    func value(_ name: String, _ id: String = "lamp") async -> JSONValue? {
      await home.tracker(id)?[name]?.value
    }
    // What it has of its own is there from the beginning.
    #expect(await value("hum") == .integer(1))
    var told = Told(await home.changes())
    // A rule waits for a value that was not above yet.
    let dark = try await home.perform("set:light", on: "lamp", value: .number(10))
    #expect(await told.end(of: dark.id)?.state == "done")
    let set = try await home.perform("set:light", on: "lamp", value: .number(40))
    #expect(await told.end(of: set.id)?.state == "done")
    #expect(await value("light") == .integer(80))
    // Rules learn of what it says; a change that comes within a second of another one is told after it.
    #expect(await told.rule() == "bright")
    // Others are as they are.
    _ = try await home.perform("set:light", on: "other", value: .number(40))
    #expect(await value("light", "other") == .integer(40))
    let louder = try await home.perform("louder", on: "lamp")
    #expect(await told.end(of: louder.id)?.state == "done")
    #expect(await value("hum") == .integer(2))
    // What the property cannot be is not taken.
    let again = try await home.perform("louder", on: "lamp")
    #expect(await told.end(of: again.id)?.state == "done")
    #expect(await value("hum") == .integer(2))
    let broken = try await home.perform("break", on: "lamp")
    let row = await told.end(of: broken.id)
    #expect(row?.state == "failed" && row?.detail == "it is broken")
    let unknown = try await home.perform("nothing", on: "lamp")
    #expect(await told.end(of: unknown.id)?.state == "failed")
    await #expect(throws: HomeError.self) { try await home.perform("louder", on: "other") }
    await home.stop()
  }
}
