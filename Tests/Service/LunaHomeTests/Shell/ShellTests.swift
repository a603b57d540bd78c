import Bluetooth
import Glibc
import LunaCore
import LunaJSON
import LunaStore
import Synchronization
import Testing

@testable import LunaHome

/// What a home does with what its rules ask for, and what is left of it.
@Suite(.timeLimit(.minutes(10))) struct ShellTests {
  private static let file = """
    {"trackers": [{"id": "lamp", "name": "Lamp", "model": "m"}],
      "devices": [{"class": "Device", "oemModel": "m", "managedProperties": [
        {"name": "light", "type": "number", "max": 100, "actions": [{"name": "full", "value": 100}]}]}],
      "contacts": [{"id": "ann"}],
      "exec": {"sleep": ["/bin/sh", "-c", "read line; exit 3"], "none": ["/no/such/program"]},
      "rules": [
        {"id": "r", "cooldown": "0s", "level": "warn", "when": [{"message": "go"}],
          "then": [{"exec": {"name": "none"}}, {"exec": {"name": "sleep"}}, {"rule": {"do": "resume"}}]},
        {"id": "n", "cooldown": "0s", "level": "warn", "when": [{"message": "tell"}],
          "then": [{"notify": {"to": "ann"}}]}]}
    """

  /// Waits for the changes that are of interest.
  private func wait<Found>(
    _ changes: AsyncStream<HomeChange>, count: Int, _ find: (HomeChange) -> Found?
  ) async -> [Found] {
    var found: [Found] = []
    for await change in changes {
      if let one = find(change) { found.append(one) }
      if found.count == count { break }
    }
    return found
  }

  @Test func doesOneActionAfterTheOther() async throws {
    let bench = try ShellBench(Self.file)
    let changes = await bench.home.changes()
    try await bench.home.start()
    await bench.home.message("go")
    let outcomes = await wait(changes, count: 3) { change in
      if case .outcome(let outcome) = change.event { outcome } else { nil }
    }
    #expect(outcomes.map(\.action) == [0, 1, 2])
    #expect(outcomes.map(\.state) == [.failed, .failed, .done])
    #expect(outcomes.allSatisfy { $0.trigger == "message" })
    #expect(outcomes[1].detail.contains("ended with 3"))
    await bench.home.stop()
    #expect(
      try await bench.outcomes(of: outcomes[0].firing).map(\.state) == [.failed, .failed, .done])
  }

  @Test func saysWhereIdsAreWhenOneMeansNothing() async throws {
    let bench = try ShellBench(Self.file)
    try await bench.home.start()
    let noRule = await #expect(throws: HomeError.self) { try await bench.home.run("none") }
    #expect(noRule?.kind == .notFound)
    #expect(String(describing: noRule).contains("use an id of the home's file"))
    let noTracker = await #expect(throws: HomeError.self) {
      _ = try await bench.home.perform("full", on: "none")
    }
    #expect(String(describing: noTracker).contains("use an id of the home's file"))
    await bench.home.stop()
  }

  @Test func littleRoomOnTheDiskIsTold() async throws {
    let file =
      #"{"rules":[{"id":"full","when":[{"system":"diskLow"}],"then":[{"finder":"stop"}]}]}"#
    let bench = try ShellBench(file, freeSpace: { _ in DiskSpace.low - 1 })
    let changes = await bench.home.changes()
    try await bench.home.start()
    let fired = await wait(changes, count: 1) { change in
      if case .firing(let firing) = change.event { firing.rule } else { nil }
    }
    #expect(fired == ["full"])
    #expect(await bench.home.snapshot().notices.map(\.kind) == [.diskLow])
    await bench.home.stop()
  }

  /// What it is when the home begins is no news.
  @Test func whatACheckSaysOfTheNetworkIsTold() async throws {
    let file =
      #"{"rules":[{"id":"net","when":[{"system":"uplinkChanged"}],"then":[{"finder":"stop"}]}]}"#
    let bench = try ShellBench(file)
    #expect(mkdir(bench.path, 0o700) == 0)
    let time = await bench.home.clock.now()
    func add(_ id: String, _ document: String) throws {
      let store = try UplinkStore(in: StateDirectory(path: bench.path))
      try store.add(UplinkRecord(id: id, time: time, document: document))
    }
    try add("1", #"{"verdict":"fair"}"#)
    let changes = await bench.home.changes()
    try await bench.home.start()
    await bench.home.judgeUplink()
    let fair = await bench.home.snapshot()
    #expect(fair.uplink?.text == "uploads run as other traffic does" && fair.notices.isEmpty)
    #expect(await bench.home.firingCounts["net"] == nil)
    // A simulated one is none.
    try add("2", #"{"verdict":"blocked","simulated":true}"#)
    await bench.home.judgeUplink()
    #expect(await bench.home.snapshot().uplink == fair.uplink)
    try add("3", #"{"verdict":"throttled"}"#)
    await bench.home.judgeUplink()
    let fired = await wait(changes, count: 1) { change in
      if case .firing(let firing) = change.event { firing.rule } else { nil }
    }
    #expect(fired == ["net"])
    let now = await bench.home.snapshot()
    #expect(now.notices.map(\.kind) == [.uplink])
    #expect(now.uplink?.text == "the network treats some traffic differently (throttled)")
    await bench.home.stop()
  }

  /// The rules go on. What would be written now no next home could read.
  @Test func aLogThatIsCutIsToldWithWhatToDo() async throws {
    let bench = try ShellBench(Self.file)
    let changes = await bench.home.changes()
    try await bench.home.start()
    let log = bench.path + "/home.sqlite-wal"
    var status = stat()
    #expect(stat(log, &status) == 0 && status.st_size > 0)
    #expect(truncate(log, status.st_size / 2) == 0)
    // The clock of files is too coarse for a test in a hurry.
    let later = [timespec(), timespec(tv_sec: time(nil) + 2, tv_nsec: 0)]
    #expect(utimensat(AT_FDCWD, log, later, 0) == 0)
    await bench.home.message("tell")
    let told = await wait(changes, count: 1) { change -> String? in
      guard case .notices(let notices) = change.event else { return nil }
      return notices.first { $0.kind == .storage && $0.text.contains("cannot be kept") }?.text
    }
    let text = try #require(told.first)
    #expect(text.contains("home.sqlite-wal"))
    #expect(text.contains("to a safe place") && text.hasSuffix("; end the home before that"))
    await bench.home.stop()
  }

  @Test func signingInMayNeedABackend() async throws {
    let bench = try ShellBench(#"{"sdkConfig":{"allowOfflineUse":false}}"#)
    try await bench.home.start()
    #expect(await bench.home.signInRefusal() != nil)
    bench.write("{}")
    try await bench.home.reload()
    #expect(await bench.home.signInRefusal() == nil)
    await bench.home.stop()
  }

  /// It is told as long as what runs is another one than the file says, however often that is read.
  @Test func whatHoldsAfterARestartIsTold() async throws {
    let usual = #"{"server":{"listen":"127.0.0.1:1"}}"#
    let other = #"{"server":{"listen":"127.0.0.1:2"}}"#
    let bench = try ShellBench(usual)
    try await bench.home.start()
    func isTold(_ text: String) async throws -> Bool {
      bench.write(text)
      try await bench.home.reload()
      return await bench.home.snapshot().notices.contains { $0.kind == .needsRestart }
    }
    #expect(try await !isTold(#"{"name":"Attic","server":{"listen":"127.0.0.1:1"}}"#))
    #expect(try await isTold(other))
    #expect(try await isTold(other))
    #expect(try await !isTold(usual))
    #expect(try await isTold(#"{"box":{"radio":"virtual:8"},"server":{"listen":"127.0.0.1:1"}}"#))
    await bench.home.stop()
  }

  @Test func whatWasBegunIsInterruptedOrDoneAgain() async throws {
    let bench = try ShellBench(Self.file)
    try await bench.home.start()
    await bench.home.stop()
    // What is too old is dropped.
    let time = WallClock.system.now().microseconds
    let request: JSONValue = ["parameters": ["topic": "a", "payload": "b"]]
    do {
      let store = try await HomeStore.open(in: StateDirectory(path: bench.path))
      try await store.transaction { (database: borrowing HomeDatabase) throws(DeviceStoreError) in
        try database.save([
          HomeOutcome(firing: "r-9", action: 0, part: 0, name: "buzz", state: .begun, time: time),
          HomeOutcome(
            firing: "r-9", action: 1, part: 0, name: "publish", state: .begun, time: time,
            request: request.description),
        ])
        try database.save(
          HomeCommandRow(
            id: "c", tracker: "lamp", action: "ping", value: nil, state: "queued", time: time,
            changed: time))
      }
    }
    let next = try ShellBench(Self.file, in: bench)
    let changes = await next.home.changes()
    try await next.home.start()
    let again = await wait(changes, count: 2) { change in
      if case .outcome(let outcome) = change.event { outcome } else { nil }
    }
    #expect(again.map(\.name) == ["buzz", "publish"])
    // There is no broker in the file.
    #expect(again.map(\.state) == [.interrupted, .failed])
    let command = try await next.home.command("c")
    #expect(command?.state == "interrupted")
    await next.home.stop()
  }

  /// Keeps each message as a command, in the transaction that it is given.
  private final class KeptMessages: HomeOutbox {
    let messages = Mutex<[HomeMessage]>([])
    let awake = Mutex(0)

    func add(
      _ messages: [HomeMessage], to database: borrowing HomeDatabase
    ) throws(DeviceStoreError) {
      for message in messages {
        // It sees what the same transaction has kept.
        let records = try database.records(
          of: message.request.rule, kinds: [.firing], until: .max, limit: 1)
        try database.save(
          HomeCommandRow(
            id: message.request.firing, tracker: "", action: "notify", value: nil,
            state: records.first?.firing ?? "", time: 0, changed: 0))
      }
      self.messages.withLock { $0 += messages }
    }
    func add(
      _ mail: HomeMail, to database: borrowing HomeDatabase
    ) throws(DeviceStoreError) {}
    func wake() { awake.withLock { $0 += 1 } }
    func reload(_ settings: NotificationSettings) {}
    func retry(_ id: Int64) async -> Bool { false }
    func stop() async {}
  }

  @Test func messagesAreKeptWithTheirFiring() async throws {
    let outbox = KeptMessages()
    let bench = try ShellBench(Self.file) { _, _ in outbox }
    try await bench.home.start()
    await bench.home.message("tell")
    await bench.home.stop()
    let firing = try #require(try await bench.records(of: "n", [.firing]).first?.firing)
    let message = try #require(outbox.messages.withLock { $0 }.first)
    #expect(message.request.firing == firing)
    #expect(message.request.recipients == ["ann"])
    #expect(message.request.level == "warn")
    #expect(outbox.awake.withLock { $0 } >= 2)
    #expect(try await bench.outcomes(of: firing).map(\.state) == [.queued])
    let reader = try #require(try await HomeStore.reading(in: StateDirectory(path: bench.path)))
    let row = try await reader.read {
      (database: borrowing HomeDatabase) throws(DeviceStoreError) in try database.command(firing)
    }
    #expect(row?.state == firing)
  }

  @Test func setsWhatCanBeSet() async throws {
    let bench = try ShellBench(Self.file)
    let home = bench.home
    try await home.start()
    #expect(try await home.perform("full", on: "lamp").state == "done")
    #expect(await home.tracker("lamp")?["light"]?.value == 100)
    await #expect { try await home.perform("set:light", on: "lamp", value: .number(101)) } throws: {
      ($0 as? HomeError)?.kind == .action
    }
    await #expect { try await home.perform("turn_on", on: "lamp") } throws: {
      ($0 as? HomeError)?.kind == .action
    }
    await #expect { try await home.perform("full", on: "nobody") } throws: {
      ($0 as? HomeError)?.kind == .notFound
    }
    await home.stop()
    // It goes on where it was.
    let next = try ShellBench(Self.file, in: bench)
    try await next.home.start()
    #expect(await next.home.tracker("lamp")?["light"]?.value == 100)
    let points = try await next.home.history(of: "light", of: "lamp", from: 0, to: .max)
    #expect(points.map(\.value) == [100])
    await next.home.stop()
  }

  /// As of people: what is out of the range of the file is not done, and the next is.
  @Test func whatAPropertyDoesNotTakeIsNotDone() async throws {
    let file =
      #"{"devices":[{"class":"Device","oemModel":"m","managedProperties":[{"name":"light","max":100}]}],"#
      + #""trackers":[{"id":"lamp","model":"m"}],"rules":[{"id":"r","when":[{"message":"go"}],"then":["#
      + #"{"set":{"who":"lamp","property":"light","value":50}},{"set":{"who":"lamp","property":"light","value":101}}]}]}"#
    let bench = try ShellBench(file)
    let changes = await bench.home.changes()
    try await bench.home.start()
    await bench.home.message("go")
    let outcomes = await wait(changes, count: 2) { change in
      if case .outcome(let outcome) = change.event { outcome } else { nil }
    }
    #expect(outcomes.map(\.state) == [.done, .failed])
    #expect(outcomes.map(\.detail) == ["", "light does not take 101"])
    #expect(await bench.home.tracker("lamp")?["light"]?.value == 50)
    await bench.home.stop()
  }

  @Test func sleepLastsOverARestart() async throws {
    let bench = try ShellBench(Self.file)
    try await bench.home.start()
    try await bench.home.snooze("r", until: .max)
    await #expect { try await bench.home.snooze("nobody", until: nil) } throws: {
      ($0 as? HomeError)?.kind == .notFound
    }
    await bench.home.stop()
    let next = try ShellBench(Self.file, in: bench)
    try await next.home.start()
    #expect(await next.home.rules().first { $0.summary.id == "r" }?.snoozedUntil == .max)
    await next.home.message("go")
    // Who asks for it has it run.
    try await next.home.run("r")
    await next.home.stop()
    #expect(try await next.records(of: "r", [.held]).count == 1)
    #expect(try await next.records(of: "r", [.firing]).count == 1)
  }

  @Test func changesGoOnWhereSomebodyWas() async throws {
    let bench = try ShellBench(Self.file)
    try await bench.home.start()
    let before = await bench.home.snapshot().revision
    _ = try await bench.home.perform("full", on: "lamp")
    let missed = try #require(await bench.home.changes(after: before))
    #expect(
      missed.contains {
        if case .value("lamp", let value) = $0.event { value.name == "light" } else { false }
      })
    #expect(missed.map(\.revision) == missed.indices.map { before + 1 + Int64($0) })
    #expect(await bench.home.changes(after: 1) == nil)
    await bench.home.stop()
  }
}
