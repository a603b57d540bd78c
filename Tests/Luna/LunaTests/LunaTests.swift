import Foundation
import LunaTracker
import Synchronization
import Testing
import TrackerMachine
import TrackerSimulation

@testable import Luna

// One after the other: a program that is being started holds the locks of this one for a moment.
@Suite("Luna, put together", .serialized, .timeLimit(.minutes(10)))
struct LunaTests {
  /// A directory of its own.
  private let directory = NSTemporaryDirectory() + "luna-facade-\(UUID().uuidString)"

  private func settings() -> LunaSettings {
    var settings = LunaSettings()
    settings.state = StateDirectory(path: directory)
    return settings
  }

  @Test("The configuration of the finder names the file of devices")
  func namesTheDevicesFile() async throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    var settings = settings()
    settings.radio = try TrackerRoom(seed: 3)
    settings.location = LocationChoice.place(latitude: 1, longitude: 2, altitude: nil)
    let luna = Luna(settings)
    var configuration = LunaConfiguration()
    configuration.devicesFilename = "others.data"
    let updates = luna.finder().updates
    luna.finder().startMonitoring(configuration: configuration)
    for await update in updates { if case .listening = update { break } }
    #expect(try await luna.owner().allDevices().isEmpty)
    #expect(FileManager.default.fileExists(atPath: directory + "/others.data"))
    #expect(
      !FileManager.default.fileExists(atPath: directory + "/luna-finder-memory-devices.data"))
    await luna.finder().finish()
  }

  @Test("A tracker is heard, made one's own and made to sound through one radio")
  func wires() async throws {
    let code = try OnboardingCode(text: "LUNA1:0024H36H2NCSVRH6DAQF6DVVQZW")
    let flashes = directory + "-trackers"
    defer {
      for path in [directory, flashes] { try? FileManager.default.removeItem(atPath: path) }
    }
    try TrackerFlash(name: "Box", state: flashes).create(
      FlashImage(record: TrackerRecord(code: code)))
    let sounds = Mutex<[Int?]>([])
    let room = try TrackerRoom(seed: 3, demoKinds: []) { news in
      if case .sound(let seconds) = news.event { sounds.withLock { $0.append(seconds) } }
    }
    try room.add(TrackerFlash(name: "Box", state: flashes))
    let counting = CountingRadio(room)
    var settings = settings()
    settings.radio = counting
    // The tracker answers, however slow the machine is.
    settings.onboardingLimits = OnboardingLimits(
      connect: .seconds(60), operation: .seconds(60), answer: .seconds(60))
    settings.buzzerLimits = BuzzerLimits(
      connect: .seconds(60), operation: .seconds(60), answer: .seconds(60))
    let luna = Luna(settings)
    let local = luna.local()
    local.onError = { Issue.record("\($0)") }
    local.startScanning()
    let bell = Bell()
    local.tell(bell)
    while !local.devices.contains(where: \.onboardable) {
      await bell.wait(for: .seconds(600))
      try Task.checkCancellation()
    }
    // For a minute it accepts connections.
    await room.send(.buttonDown, to: "Box")
    await room.send(.buttonUp, to: "Box")
    let device = try await luna.onboarder().onboard(OnboardingRequest(code: code, name: "Box"))
    #expect(try await luna.owner().allDevices() == [device])
    // The scan that is on has it from now on.
    let heard = try #require(local.devices.first { $0.uuid == device.uuid })
    #expect(heard.name == "Box")
    let receipt = try await luna.buzzer().buzz(heard, seconds: 2)
    #expect(receipt.verified?.status == .done)
    #expect(sounds.withLock { $0.first } == 2)
    #expect(counting.made.count == 1, "the buzzer connects with the radio that listens")

    await local.stop()
    await #expect(throws: BuzzerError.self) { try await luna.buzzer().buzz(heard) }
    room.cutPower()
  }

  @Test("Without a scan, connecting says what is missing")
  func needsScan() async {
    let radio = SharedRadio(ProbeRadio())
    await #expect {
      try await radio.connect(to: ProbeRadio.peer, GATTLimits()) { _ in }
    } throws: {
      ($0 as? GATTError)?.kind == .adapterLost && "\($0)".contains("startScanning()")
    }
  }

  @Test("A radio that cannot be had is told")
  func needsAdapter() async throws {
    var settings = settings()
    settings.radio = ProbeRadio(failure: SourceError(.noAdapter, "there is no adapter"))
    let local = Luna(settings).local()
    var errors = local.errors.makeAsyncIterator()
    local.startScanning()
    let error = await errors.next()
    #expect((error as? SourceError)?.kind == .noAdapter)
    await local.stop()
    #expect(await errors.next() == nil)
    await #expect(throws: SourceError.self) { try await local.start() }
    try? FileManager.default.removeItem(atPath: directory)
  }

  @Test("Nothing is opened before it is used, and what fails is tried again")
  func opensLate() async throws {
    // A file where the directory should be: that stops root as well.
    #expect(FileManager.default.createFile(atPath: directory, contents: nil))
    let luna = Luna(settings())
    await #expect(throws: DeviceStoreError.self) { try await luna.owner().allDevices() }
    try FileManager.default.removeItem(atPath: directory)
    #expect(try await luna.owner().allDevices().isEmpty)
    try FileManager.default.removeItem(atPath: directory)
  }

  @Test("An owner without a backend is told where to name one")
  func needsBackend() async throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let owner = Luna(settings()).owner()
    let device = Device(
      uuid: try #require(DeviceUUID("0F0E0D0C-0B0A-4908-8706-050403020100")),
      masterKey: try #require(MasterKey(String(repeating: "5a", count: 32))),
      onboardingTimestamp: Timestamp(microseconds: 1_800_000_000_000_000), name: "Keys")
    await #expect {
      try await owner.findEvents(
        device: device, dateFrom: Timestamp(microseconds: 1_800_000_000_000_000),
        dateTo: Timestamp(microseconds: 1_800_000_060_000_000))
    } throws: {
      ($0 as? OwnerError)?.kind == .noBackend
    }
  }
}
