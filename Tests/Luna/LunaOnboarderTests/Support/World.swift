import Bluetooth
import Foundation
import LunaCore
import LunaCrypto
import LunaLocal
import LunaOnboarder
import LunaProtocol
import LunaStore
import LunaTesting
import Synchronization
import TrackerMachine
import VirtualRadio

@testable import LunaTracker
@testable import TrackerSimulation

/// An owner and a tracker in one room, with their disks: either can end at any moment and begin
/// again, and time passes as fast as it can.
final class World: NearbyTrackers {
  private struct Air {
    var room: VirtualRoom
    var opened: ContinuousClock.Instant
    var trackers: TrackerRoom
    var client: any GATTClient
  }

  private struct State {
    var air: Air?
    var follower: TrackerFollower?
  }

  /// 2026-11-18T00:00:00Z or so.
  static let begin: Int64 = 1_795_000_000_000_000

  static let code: OnboardingCode = {
    guard let code = try? OnboardingCode(text: "LUNA1:0024H36H2NCSVRH6DAQF6DVVQZW") else {
      fatalError("the code of PROTOCOL.md, 18, does not parse")
    }
    return code
  }()

  let directory = NSTemporaryDirectory() + "luna-onboarding-\(UUID().uuidString)"
  let clock = DrivingClock()
  private let link: VirtualLinkSettings
  private let state = Mutex(State())
  private let rope = BellRope()

  /// - Parameter records: what is in the flashes of the trackers that there are, by name.
  init(
    _ records: [String: TrackerRecord] = ["Keys": TrackerRecord(code: World.code)], mtu: Int = 247
  ) throws {
    link = VirtualLinkSettings(mtu: mtu)
    for (name, record) in records {
      try TrackerFlash(name: name, state: directory).create(FlashImage(record: record))
    }
    clock.drive { [weak self] in self?.pass(to: $0) }
    try powerTrackers()
    try startOwner()
  }

  deinit { try? FileManager.default.removeItem(atPath: directory) }

  var now: Timestamp {
    let (seconds, attoseconds) = clock.elapsed.components
    return Timestamp(
      microseconds: World.begin + seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
  }

  var wallClock: WallClock {
    WallClock(
      now: { [self] in now }, elapsed: { [clock] in clock.elapsed },
      sleep: { [clock] in try await clock.sleep(until: clock.now.advanced(by: $0), tolerance: nil) }
    )
  }

  /// What is heard up to a moment is heard.
  private func pass(to moment: ContinuousClock.Instant) {
    let wasHeard = state.withLock { state in
      guard var air = state.air else { return false }
      let (seconds, attoseconds) = air.opened.duration(to: moment).components
      let elapsed = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
      var updates: [LocalUpdate] = []
      let wasHeard = air.room.due <= elapsed
      while air.room.due <= elapsed {
        state.follower?.receive(air.room.next(), into: &updates)
      }
      state.air = air
      return wasHeard
    }
    if wasHeard { rope.pull() }
  }

  func tell(_ bell: Bell) { rope.add(bell) }

  func wait(_ duration: Duration) async throws { try await wallClock.sleep(duration) }

  /// Their power comes, after a cut when they had it.
  func powerTrackers(files: (any FlashFiles)? = nil) throws {
    state.withLock { $0.air?.trackers.cutPower() }
    let trackers = try TrackerRoom(seed: 1, demoKinds: [], clock: clock)
    for name in try TrackerFlash.names(in: directory) {
      try trackers.add(
        files.map { try TrackerFlash(name: name, state: directory, files: $0) }
          ?? TrackerFlash(name: name, state: directory))
    }
    let opened = clock.now
    let air = Air(
      room: VirtualRoom(seed: 1, start: now, guests: trackers.open(at: now)), opened: opened,
      trackers: trackers, client: trackers.radio(link: link).client)
    state.withLock { $0.air = air }
  }

  func record(_ name: String = "Keys") -> TrackerRecord? {
    state.withLock { $0.air?.trackers.record(of: name) }
  }

  func pressButton(_ name: String = "Keys") async {
    let trackers = state.withLock { $0.air?.trackers }
    await trackers?.send(.buttonDown, to: name)
    await trackers?.send(.buttonUp, to: name)
  }

  /// A new process of the owner: it knows what is on the disk.
  func startOwner() throws {
    try state.withLock { $0.follower = try TrackerFollower([]) }
  }

  /// The connections of a process that was killed end with it.
  func dropConnections() async {
    let client = state.withLock { $0.air?.client }
    await client?.close()
  }

  func makeStore() throws -> SQLiteDeviceStore {
    try SQLiteDeviceStore(in: StateDirectory(path: directory + "/owner"))
  }

  func client(_ script: @escaping FaultyGATTClient.Script = { _ in nil }) throws -> FaultyGATTClient
  {
    guard let client = state.withLock({ $0.air?.client }) else { throw CancellationError() }
    return FaultyGATTClient(client, clock: clock, script: script)
  }

  func onboarder(
    _ store: any DeviceStore, client: any GATTClient, limits: OnboardingLimits = .init()
  ) -> LunaOnboarder {
    LunaOnboarder(
      client: client, nearby: self, store: store,
      configuration: OnboarderConfiguration(limits: limits), clock: wallClock,
      logger: ConsoleLogger(level: .ERROR))
  }

  /// Onboards with a store on the disk; with what went wrong where it does not come about.
  func onboard(
    _ request: OnboardingRequest = OnboardingRequest(code: World.code, name: "Keys"),
    store: (any DeviceStore)? = nil, limits: OnboardingLimits = .init(),
    faults script: @escaping FaultyGATTClient.Script = { _ in nil }
  ) async throws -> Result<Device, OnboardingError> {
    let onboarder = onboarder(
      try store ?? makeStore(), client: try client(script), limits: limits)
    do throws(OnboardingError) {
      return .success(try await onboarder.onboard(request))
    } catch {
      return .failure(error)
    }
  }

  var devices: [LocalDevice] { state.withLock { $0.follower?.devices ?? [] } }

  func follow(pending device: Device) -> LocalDevice? {
    state.withLock { $0.follower?.follow(pending: device, isBeingOnboarded: true) }
  }

  func follow(onboarded device: Device) {
    _ = state.withLock { $0.follower?.follow(onboarded: device) }
  }
}

extension Result where Failure == OnboardingError {
  /// The kind of failure; nil for success.
  var kind: OnboardingError.Kind? {
    if case .failure(let error) = self { error.kind } else { nil }
  }
}
