import Bluetooth
import Diagnosis
import LunaCore
import LunaStore
import Testing

@testable import LunaTelemetry

@Suite("Telemetry from the program to the backend")
struct TelemetryTests {
  private let place = Workplace()

  @Test("What is recorded reaches the backend once")
  func once() async throws {
    let backend = ScriptedBackend()
    let telemetry = place.telemetry(to: backend)
    for index in 0..<1200 { try await telemetry.log("a.k\(index)") }
    let report = await telemetry.flush()
    #expect(report.accepted == 1200 && report.waiting == 0 && report.problem == nil)
    #expect(backend.requests == 3)
    #expect(backend.events == 1200)
    #expect(await telemetry.flush().accepted == 0)
    #expect(backend.requests == 3)
  }

  @Test("An answer that is lost costs nothing")
  func lostAnswer() async throws {
    let backend = ScriptedBackend(after: { _, number throws(BackendError) in
      if number == 1 { throw BackendError(.interrupted, "lost") }
    })
    let telemetry = place.telemetry(to: backend)
    try await telemetry.log("a.b")
    #expect(await telemetry.flush().problem?.kind == .interrupted)
    // Not counted up: the backend may have it.
    try await telemetry.log("a.b")
    let report = await telemetry.flush()
    #expect(report.duplicates == 1 && report.accepted == 1)
    #expect(backend.events == 2)
    #expect(await telemetry.status().queue.problem == nil)
  }

  @Test("Two programs that send at once send nothing twice")
  func two() async throws {
    let backend = ScriptedBackend()
    let (one, other) = (place.telemetry(to: backend), place.telemetry(to: backend))
    for index in 0..<50 {
      try await one.log("a.k\(index)")
      try await other.log("b.k\(index)")
    }
    async let first = one.flush()
    async let second = other.flush()
    let (a, b) = await (first, second)
    #expect(a.accepted + b.accepted == 100)
    #expect(a.duplicates + b.duplicates == 0)
    #expect(backend.events == 100)
  }

  @Test("That another program sends is no fault of the backend")
  func anotherSends() async throws {
    let backend = ScriptedBackend()
    let telemetry = place.telemetry(to: backend) { $0.store = TroubledStore(.busy) }
    let report = await telemetry.flush()
    #expect(report.problem?.kind == .inUse)
    #expect(report.problem?.remedy != nil)
    #expect(backend.requests == 0)
  }

  @Test(
    "What a full disk keeps from being sent is no success",
    arguments: [TroubledStore.Trouble.full, .fullForTheLock])
  func fullDisk(trouble: TroubledStore.Trouble) async throws {
    let backend = ScriptedBackend()
    let telemetry = place.telemetry(to: backend) { $0.store = TroubledStore(trouble) }
    let report = await telemetry.flush()
    #expect(report.problem?.kind == .local && report.problem?.reason.contains("full") == true)
    #expect(report.waiting == 2)
    #expect(await telemetry.save()?.kind == .full)
    #expect(backend.requests == 0)
  }

  @Test("A loss that could not be counted is counted later, and nothing is written twice")
  func countsLossesLater() async throws {
    let store = TroubledStore(.forgetful)
    let telemetry = place.telemetry { $0.store = store }
    telemetry.lose(TelemetryLoss.key)
    try telemetry.record(telemetry.root.appending("opened"), "1")
    #expect(await telemetry.save() != nil)
    #expect(store.losses.isEmpty && store.records == 1)
    #expect(await telemetry.save() == nil)
    #expect(store.losses == [TelemetryLoss.key: 1] && store.records == 1)
  }

  @Test("Nobody signed in: kept, or dropped and counted")
  func signedOut() async throws {
    let backend = ScriptedBackend()
    let keeping = place.telemetry(to: backend) { $0.isSignedIn = { false } }
    try await keeping.log("a.b")
    var report = await keeping.flush()
    #expect(report.isSignedOut && report.waiting == 1)
    let dropping = place.telemetry(to: backend) {
      $0.isSignedIn = { false }
      $0.whenSignedOut = .drop
    }
    report = await dropping.flush()
    #expect(report.isSignedOut && report.waiting == 0)
    #expect(await dropping.status().queue.losses["signedOut"]?.count == 1)
    #expect(backend.requests == 0)
  }

  @Test("The newest health is sent once; a sample is queued each five minutes")
  func health() async throws {
    let backend = ScriptedBackend()
    let telemetry = place.telemetry(to: backend)
    for minute in 0..<11 {
      var health = HealthReport()
      health.uptime = Int64(60 * minute + 5)
      telemetry.report(health)
      place.clocks.pass(.seconds(60))
    }
    let report = await telemetry.flush()
    #expect(report.sentHealth)
    #expect(backend.healths.map(\.uptime) == [605])
    #expect(backend.samples == 3)
    #expect(await telemetry.flush().sentHealth == false)
  }

  @Test("What ends as soon as it began tells how it is, and leaves no sample")
  func startsInVain() async throws {
    let backend = ScriptedBackend()
    let telemetry = place.telemetry(to: backend)
    var health = HealthReport()
    health.uptime = 1
    telemetry.report(health)
    #expect(await telemetry.flush().sentHealth)
    #expect(backend.healths.count == 1 && backend.samples == 0)
  }

  private func device(_ ref: String) -> DeviceReport {
    let hour = HeardHours.beginning(of: 500_000)
    return DeviceReport(
      ref: ref, family: "ibeacon", first: hour, last: hour, hours: HeardHours(bits: 7, at: hour),
      band: .near)
  }

  @Test("The newest devices are sent once")
  func devices() async throws {
    let backend = ScriptedBackend()
    let telemetry = place.telemetry(to: backend) { $0.recordsHealth = false }
    telemetry.report([device("0000000000000001")])
    telemetry.report([device("0000000000000002")])
    await telemetry.flush()
    await telemetry.flush()
    #expect(backend.devices.map { $0.map(\.ref) } == [["0000000000000002"]])
  }

  @Test("Devices that a backend cannot read hold up neither the health nor the rest")
  func strangeDevices() async throws {
    let backend = ScriptedBackend(before: { upload, _ throws(BackendError) in
      guard upload.devices.isEmpty else {
        throw BackendError(.malformed, "what is this?", status: 400, isExplained: true)
      }
    })
    let telemetry = place.telemetry(to: backend)
    try await telemetry.log("a.b")
    telemetry.report(HealthReport())
    telemetry.report([device("0000000000000001")])
    await telemetry.flush()
    #expect(backend.events == 1 && backend.healths.isEmpty)
    await telemetry.flush()
    #expect(backend.healths.count == 1 && backend.devices.isEmpty)
  }

  @Test("Use is recorded only where that is wanted")
  func usage() async throws {
    for isWanted in [false, true] {
      let telemetry = place.telemetry { $0.recordsUsage = isWanted }
      telemetry.record(.appear("finder"))
      telemetry.record(.event("recovery", in: "finder"))
      telemetry.record(.operation("start", in: "finder", took: .milliseconds(1500)))
      await telemetry.write()
      let keys = try await place.store().waiting().sorted()
      #expect(
        keys
          == (isWanted
            ? [
              "luna.finder.appear=1*1", "luna.finder.event.recovery=1*1",
              "luna.finder.operation.start=1500*1",
            ] : []))
    }
  }

  @Test("Clearing drops all, and says how much")
  func clear() async throws {
    let telemetry = place.telemetry()
    try await telemetry.log("a.b")
    try await telemetry.log("a.c")
    #expect(await telemetry.clear() == 2)
    #expect(await telemetry.status().queue == TelemetryQueueStatus())
  }

  @Test("Without a place to keep things health is sent all the same")
  func noStore() async throws {
    let backend = ScriptedBackend()
    let telemetry = place.telemetry(to: backend) {
      $0.store = SQLiteTelemetryStore(in: StateDirectory(path: "/proc/none"))
    }
    telemetry.report(HealthReport())
    let report = await telemetry.flush()
    #expect(report.sentHealth)
    let status = await telemetry.status()
    #expect(status.problem != nil && status.unwritten == 1)
  }
}
