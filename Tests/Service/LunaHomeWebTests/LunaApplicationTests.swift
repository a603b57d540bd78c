import Foundation
import Luna
import LunaCore
import LunaHome
import LunaStore
import Synchronization
import Testing
import TrackerSimulation

@testable import LunaHomeWeb

/// A home within a program.
@Suite(.timeLimit(.minutes(10))) struct LunaApplicationTests {
  private final class Folder {
    let path = NSTemporaryDirectory() + "luna-application-\(UUID().uuidString)"
    init() throws {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ text: String) throws -> String {
      try text.write(toFile: path + "/home.json", atomically: true, encoding: .utf8)
      return path + "/home.json"
    }
  }

  private struct Bell: HomeDevice {
    init(_ model: HomeModel, _ tracker: HomeTracker) {}
    func perform(_ action: String, _ value: PropertyValue?) async throws(HomeError) -> Bool { true }
  }

  private final class Witness: HomeListener {
    let told = Mutex(0)
    func home(_ application: LunaApplication, told event: HomeEvent) async {
      told.withLock { $0 += 1 }
    }
  }

  private func application(_ folder: Folder) throws -> LunaApplication {
    var settings = LunaSettings()
    settings.radio = try TrackerRoom(seed: 1)
    settings.store = InMemoryDeviceStore()
    settings.state = StateDirectory(path: folder.path + "/state")
    return LunaApplication(settings)
  }

  private static func file(_ name: String) -> String {
    """
    {"name": "\(name)", "devices": [{"class": "Bell", "oemModel": "b", "managedProperties": [{"name": "tone", "type": "text"}]}],
     "trackers": [{"id": "door", "model": "b"}], "server": {"listen": "127.0.0.1:0"}}
    """
  }

  @Test func theOrderIsLoadThenStart() async throws {
    let folder = try Folder()
    let application = try application(folder)
    #expect(application.configuration == nil && application.address == nil)
    await #expect(throws: HomeError.self) { try await application.start() }
    await #expect(throws: HomeError.self) { try await application.devices.all() }
    await #expect(throws: HomeError.self) { try await application.sessions.all() }
    await #expect(throws: HomeError.self) {
      try await application.loadConfiguration(folder.path + "/none.json")
    }
    // With errors nothing holds.
    let broken = try await application.loadConfiguration(try folder.write("{\"rules\": 1}"))
    #expect(broken.contains { $0.level == .error })
    await #expect(throws: HomeError.self) { try await application.start() }
    // A class that is not known is a warning.
    let path = try folder.write(Self.file("One"))
    #expect(try await application.loadConfiguration(path).map(\.code) == [.unknownClass])
    application.register(Bell.self, as: "Bell")
    #expect(try await application.loadConfiguration(path).isEmpty)
    try await application.start()
    #expect(application.address?.hasPrefix("http://127.0.0.1:") == true)
    do {
      try await application.start()
      Issue.record("it was started twice")
    } catch {
      #expect(error.kind == .state)
    }
    await application.stop()
    #expect(application.address == nil)
    try await application.start()
    await application.stop()
  }

  @Test func tellsWhatHappensAndWhoIsThere() async throws {
    let folder = try Folder()
    let application = try application(folder)
    application.register(Bell.self, as: "Bell")
    let path = try folder.write(Self.file("One"))
    let witness = Witness()
    application.add(witness)
    var events = application.events.makeAsyncIterator()
    func next(_ wanted: (HomeEvent) -> Bool) async -> Bool {
      while let event = await events.next() { if wanted(event) { return true } }
      return false
    }
    func isConfigured(_ event: HomeEvent) -> Bool {
      if case .configured = event { true } else { false }
    }
    _ = try await application.loadConfiguration(path)
    #expect(await next(isConfigured))
    try await application.start()
    #expect(try await application.devices.all().map(\.id).contains("door"))
    #expect(try await application.devices.perform("ring", on: "door").state == "begun")
    #expect(try await application.firstAccountLink()?.contains("/setup#") == true)
    await #expect(throws: HomeError.self) { try await application.sessions.begin(for: "ada") }
    let store = try await HomeStore.beside(in: StateDirectory(path: folder.path + "/state"))
    _ = try await HomeAccounts(store).add("ada", .owner, at: WallClock.system.now())
    let new = try await application.sessions.begin(for: "ada", agent: "a browser")
    try await application.signInComplete(new.session)
    #expect(
      await next { if case .signedIn(let session) = $0 { session == new.session } else { false } })
    #expect(try await application.sessions.all() == [new.session])
    application.navigateHome()
    await application.sessionClosed(new.session.id)
    #expect(
      await next { if case .signedOut(let session) = $0 { session == new.session } else { false } })
    await #expect(throws: HomeError.self) { try await application.signInComplete(new.session) }
    // A file that is loaded meanwhile holds at once; one with errors does not.
    _ = try folder.write(Self.file("Two"))
    #expect(try await application.loadConfiguration(path).isEmpty)
    #expect(await next(isConfigured))
    #expect(application.configuration?.name == "Two")
    _ = try folder.write("{\"rules\": 1}")
    #expect(try await !application.loadConfiguration(path).isEmpty)
    #expect(await next { if case .problem = $0 { true } else { false } })
    #expect(application.configuration?.name == "Two")
    await application.stop()
    #expect(witness.told.withLock { $0 } > 0)
  }

  @Test("An app that serves goes on where its address cannot be noted")
  func theAppGoesOnWithoutItsNote() async throws {
    let folder = try Folder()
    let application = try application(folder)
    _ = try await application.loadConfiguration(try folder.write(Self.file("One")))
    let store = try await HomeStore.beside(in: StateDirectory(path: folder.path + "/state"))
    _ = try await store.transaction { database throws(DeviceStoreError) in
      try database.change(
        """
        CREATE TRIGGER full BEFORE INSERT ON objects WHEN new.kind = 'server'
        BEGIN SELECT RAISE(ABORT, 'no room'); END
        """, [])
    }
    try await application.start()
    #expect(application.address?.hasPrefix("http://127.0.0.1:") == true)
    await application.stop()
    #expect(application.address == nil)
  }
}
