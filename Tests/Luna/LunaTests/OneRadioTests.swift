import Foundation
import Glibc
import Synchronization
import Testing

@testable import Luna

/// The finder, the scan, the ringer of others' trackers and the program itself, with one radio at the
/// same time, on each path that a test can have.
@Suite("The finder and the scan share the radio of every path", .timeLimit(.minutes(10)))
struct OneRadioTests {
  private func settings(_ radio: any RadioProvider) -> LunaSettings {
    var settings = LunaSettings()
    settings.radio = radio
    settings.store = InMemoryDeviceStore()
    settings.queue = InMemoryEventQueue(limit: 1000)
    settings.location = LocationChoice.place(latitude: 52, longitude: 13, altitude: nil)
    settings.buzzerLimits = BuzzerLimits(
      total: .seconds(4), silence: .seconds(4), connect: .seconds(1))
    return settings
  }

  /// Begins everything, and waits until all have heard something.
  private func use(_ luna: Luna) async throws -> any AdvertisementSource {
    var configuration = LunaConfiguration()
    configuration.duty = .full
    let found = luna.finder().updates
    luna.finder().startMonitoring(configuration: configuration)
    for await update in found { if case .found = update { break } }
    let updates = luna.local().updates
    try await luna.local().start()
    for await update in updates where update.event == .appeared { break }
    let all = try luna.advertisements()
    try await all.start()
    #expect(try await all.nextBatch()?.isEmpty == false)
    return all
  }

  /// Lets go of it piece by piece: the rest goes on.
  private func leave(_ luna: Luna, _ all: any AdvertisementSource) async throws {
    await luna.local().stop()
    #expect(try await all.nextBatch()?.isEmpty == false)
    #expect(await luna.finder().finish() == nil)
    #expect(try await all.nextBatch()?.isEmpty == false)
    await all.stop()
  }

  @Test("In the simulated room")
  func simulated() async throws {
    let radio = CountingRadio(try TrackerRoom(seed: 3))
    let luna = Luna(settings(radio))
    let all = try await use(luna)
    try await leave(luna, all)
    #expect(radio.made == [.auto])
  }

  /// A controller behind a socket has room for one host.
  @Test("On a controller over H4, which connects as well")
  func controller() async throws {
    let air = try TrackerRoom(seed: 3).radio().source
    let controller = try H4Controller()
    try await air.start()
    let sending = Task {
      while let batch = try? await air.nextBatch() { batch.forEach(controller.hear) }
    }
    let luna = Luna(settings(AdapterRadio(.h4(.path(controller.path)))))
    let all = try await use(luna)
    // Nobody answers. On a slow machine the time may be over before it has come as far as that.
    var total = Duration.seconds(2)
    repeat {
      total *= 2
      let limits = BuzzerLimits(total: total, silence: total, connect: .seconds(1))
      let ringer = luna.ringer(limits: limits) { _ in
        while let batch = try? await all.nextBatch() {
          if let report = batch.last(where: { $0.isConnectable == true }) { return report }
        }
        return nil
      }
      await #expect(throws: BuzzerError.self) { try await ringer.ring(for: .seconds(5)) { _ in } }
    } while !controller.opcodes.contains(H4Controller.createConnection) && total < .seconds(256)
    #expect(controller.opcodes.contains(H4Controller.createConnection))
    try await leave(luna, all)
    #expect(controller.hosts == 1)
    await air.stop()
    await sending.value
    controller.stop()
  }

  /// Everybody reads a recording for themselves, by its own time.
  @Test("From a recording")
  func recorded() async throws {
    let path =
      NSTemporaryDirectory() + "luna-one-radio-\(UInt32.random(in: 0...UInt32.max)).btsnoop"
    defer { unlink(path) }
    let room = try TrackerRoom(seed: 3).radio().source
    try await room.start()
    let writer = try await CaptureWriter(path: path, reading: nil, replacing: true)
    var count = 0
    while count < 200, let batch = try await room.nextBatch() {
      try await writer.write(batch)
      count += batch.count
    }
    try await writer.finish()
    await room.stop()
    let luna = Luna(settings(CaptureRadio(path)))
    let found = luna.finder().updates
    var configuration = LunaConfiguration()
    configuration.duty = .full
    luna.finder().startMonitoring(configuration: configuration)
    let scan = try await luna.local().scan()
    try await scan.start()
    var heard = 0
    while let batch = try await scan.nextBatch() {
      scan.follow(batch)
      heard += batch.count
    }
    await luna.local().stop()
    var reported = 0
    for await update in found {
      if case .ended(let all, _) = update { reported = all }
    }
    #expect(heard == count && reported == count)
    #expect(scan.devices.contains { $0.lastSeenDate != nil })
  }
}
