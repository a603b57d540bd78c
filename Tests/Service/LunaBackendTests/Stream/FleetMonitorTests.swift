import Bluetooth
import LunaCore
import LunaFleet
import LunaJSON
import Testing

@testable import LunaBackend

@Suite(.timeLimit(.minutes(10))) struct FleetMonitorTests {
  private struct Setting {
    let place: StoragePlace
    let storage: any Storage
    let fleet: FleetStore
    let signs: FleetSigns
    let monitor: FleetMonitor

    init(_ kind: StorageKind) async throws {
      place = try StoragePlace(kind)
      storage = try await place.prepared()
      fleet = FleetStore(storage: storage)
      signs = FleetSigns(storage, since: Samples.later(-86_400), limits: HealthLimits())
      monitor = FleetMonitor(signs, FleetDirectory(fleet))
    }

    func look(at time: Timestamp) async throws -> [FleetMonitor.Difference] {
      try await monitor.look(at: time)
      return await monitor.takeDifferences()
    }

    func report(_ gateway: String, disk: Int64, at seconds: Int64) async throws {
      var report = HealthReport()
      report.diskFreeMiB = disk
      signs.note(try await storage.note(report, of: gateway, at: Samples.later(seconds)))
    }
  }

  @Test(arguments: StorageKind.available)
  func tellsWhatIsDifferentSinceTheLastLook(kind: StorageKind) async throws {
    let setting = try await Setting(kind)
    for key in ["a", "b"] {
      try await setting.fleet.adopt(key, at: Samples.now)
      try await setting.report(key, disk: 5000, at: 0)
    }
    // Nothing to compare with.
    #expect(try await setting.look(at: Samples.later(1)).isEmpty)
    #expect(try await setting.look(at: Samples.later(2)).isEmpty)
    try await setting.report("a", disk: 4000, at: 10)
    let heard = try await setting.look(at: Samples.later(11))
    #expect(heard.map(\.entry.gateway.key) == ["a"])
    #expect(heard.map(\.isState) == [false])
    #expect(heard.first?.entry.report?.diskFreeMiB == 4000)
    try await setting.report("a", disk: 1, at: 20)
    let worse = try await setting.look(at: Samples.later(21))
    #expect(worse.map(\.isState) == [true])
    #expect(worse.first?.entry.status.verdict == "bad")
    // By nothing but time.
    let late = try await setting.look(at: Samples.later(160))
    #expect(late.map(\.entry.gateway.key) == ["b"])
    #expect(late.first?.entry.status.state == "late")
    // A new one has a state that nobody knows yet.
    try await setting.fleet.adopt("c", at: Samples.later(160))
    #expect(try await setting.look(at: Samples.later(160)).map(\.entry.gateway.key) == ["c"])
    // What others have looked at is told all the same, once.
    try await setting.report("c", disk: 5000, at: 161)
    try await setting.monitor.look(at: Samples.later(161))
    #expect(try await setting.look(at: Samples.later(162)).map(\.entry.status.state) == ["online"])
    #expect(await setting.monitor.takeDifferences().isEmpty)
    let gateway = try #require(late.first).entry.gateway
    #expect(try await setting.monitor.statuses(at: Samples.later(160)).state(of: gateway) == "late")
  }

  @Test(arguments: StorageKind.available)
  func forgetsWhatIsRemovedAndSeesWhatIsEdited(kind: StorageKind) async throws {
    let setting = try await Setting(kind)
    try await setting.fleet.adopt("a", at: Samples.now)
    try await setting.monitor.look(at: Samples.now)
    let id = try #require(await setting.monitor.present.first?.gateway.id)
    let edit = try RecordEdit(.gateway, json: ["name": "Roof", "revision": 1])
    _ = try await setting.fleet.change(by: "ann", at: Samples.now) { work throws(FleetFailure) in
      try work.edit(id, edit)
    }
    try await setting.monitor.look(at: Samples.now)
    #expect(await setting.monitor.present.map(\.gateway.name) == ["Roof"])
    _ = try await setting.fleet.change(by: "ann", at: Samples.now) { work throws(FleetFailure) in
      try work.remove(id)
    }
    try await setting.monitor.look(at: Samples.now)
    #expect(await setting.monitor.present.isEmpty)
  }
}
