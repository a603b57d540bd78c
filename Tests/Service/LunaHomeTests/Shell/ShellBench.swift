import Bluetooth
import Foundation
import Luna
import LunaBuzzer
import LunaClient
import LunaCore
import LunaStore
import Synchronization
import TrackerSimulation

@testable import LunaHome

/// A home in a directory that goes with this value, in a simulated room, with a file that tests change.
final class ShellBench: Sendable {
  /// What nothing in the room needs, however slow the machine is.
  static let patience = BuzzerLimits(
    connect: .seconds(60), operation: .seconds(60), answer: .seconds(60))

  let path: String
  let home: LunaHome

  /// - Parameters:
  ///   - other: a bench whose directory this one goes on in.
  ///   - devices: whose keys are here.
  ///   - backend: the address of the owner's backend.
  ///   - radio: what hears; a simulated room where it is nil.
  ///   - location: says where the box is, where the file has something for `box.location`.
  ///   - limits: those of approaches to trackers.
  ///   - largest: the largest its database may be, bytes.
  ///   - onLoad: is waited for whenever the file was read.
  init(
    _ text: String, in other: ShellBench? = nil, devices: [Device] = [],
    backend: String? = nil, clock: WallClock = .system,
    radio: (any RadioProvider)? = nil, location: (any LocationProvider)? = nil,
    outbox: (@Sendable (HomeStore, NotificationSettings) async throws -> any HomeOutbox)? = nil,
    classes: [String: any HomeDevice.Type] = [:], limits: BuzzerLimits = ShellBench.patience,
    freeSpace: @escaping @Sendable (String) -> UInt64? = { _ in nil }, largest: Int64 = 2 << 30,
    onLoad: @escaping @Sendable () async -> Void = {}
  ) throws {
    path = other?.path ?? NSTemporaryDirectory() + "luna-home-\(UUID().uuidString)"
    var luna = LunaSettings()
    luna.radio = try radio ?? TrackerRoom(seed: 1)
    luna.store = InMemoryDeviceStore(devices: devices)
    luna.state = StateDirectory(path: path)
    luna.buzzerLimits = limits
    luna.backend = backend
    luna.ownerToken = TokenSource.none
    luna.clock = clock
    if let location { luna.location = location }
    let box = Box(text)
    var settings = HomeSettings(state: StateDirectory(path: path)) {
      let file = HomeFile(Array(box.text.withLock { $0 }.utf8))
      await onLoad()
      return LoadedHome(file: file, configuration: HomeConfiguration(file))
    }
    settings.hasSocket = false
    settings.freeSpace = freeSpace
    settings.largest = largest
    settings.makeOutbox = outbox
    settings.classes = classes
    home = Luna(luna).home(settings)
    self.box = box
    removes = other == nil
  }

  private let box: Box
  private let removes: Bool

  private final class Box: Sendable {
    let text: Mutex<String>
    init(_ text: String) { self.text = Mutex(text) }
  }

  deinit { if removes { try? FileManager.default.removeItem(atPath: path) } }

  /// Writes another file.
  func write(_ text: String) { box.text.withLock { $0 = text } }

  /// What is in the database of a home that has ended.
  func records(of rule: String, _ kinds: [HomeRecord.Kind]) async throws -> [HomeRecord] {
    let store = try await HomeStore.reading(in: StateDirectory(path: path))
    return try await store?.read { (database: borrowing HomeDatabase) throws(DeviceStoreError) in
      try database.records(of: rule, kinds: kinds, until: .max, limit: 100_000)
    } ?? []
  }

  func outcomes(of firing: String) async throws -> [HomeOutcome] {
    let store = try await HomeStore.reading(in: StateDirectory(path: path))
    return try await store?.read { (database: borrowing HomeDatabase) throws(DeviceStoreError) in
      try database.outcomes(of: firing)
    } ?? []
  }
}
