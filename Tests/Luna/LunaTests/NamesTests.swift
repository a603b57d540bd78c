import Diagnosis
import Luna
import Synchronization
import Testing

/// Every public name of the SDK, used as a program uses it that has one import. Most of the test is that
/// it compiles; nothing here opens an adapter.
@Suite("The names of the SDK", .timeLimit(.minutes(10)))
struct NamesTests {
  /// Keeps what it is told.
  final class Reporter: LunaDelegate {
    let lines = Mutex<[String]>([])
    func lunaFinder(didFailWithError error: any Error) { lines.withLock { $0.append("\(error)") } }
    func lunaFinder(didFindHeid heid: String) { lines.withLock { $0.append(heid) } }
    func lunaFinder(didEnterRegion region: LunaRegion) {
      lines.withLock { $0.append("entered \(region.index)") }
    }
    func lunaFinder(didExitRegion region: LunaRegion) {
      lines.withLock { $0.append("left \(region.index)") }
    }
  }

  /// Only one call is required.
  final class Quiet: LunaDelegate {
    func lunaFinder(didFailWithError error: any Error) {}
  }

  @Test("Luna gives its version and its five modules")
  func modules() {
    let version: String = Luna.version()
    let finder: LunaFinder = Luna.finder()
    let local: LunaLocal = Luna.local()
    let owner: LunaOwner = Luna.owner()
    let buzzer: LunaBuzzer = Luna.buzzer()
    let onboarder: LunaOnboarder = Luna.onboarder()
    #expect(version.split(separator: ".").count == 3)
    // Each is made once.
    #expect(finder === Luna.finder() && local === Luna.local() && owner === Luna.owner())
    #expect(buzzer === Luna.buzzer() && onboarder === Luna.onboarder())
  }

  @Test("LunaFinder has a weak delegate, and starts and stops")
  func finder() {
    let finder = Luna().finder()
    var reporter: Reporter? = Reporter()
    finder.delegate = reporter
    #expect(finder.delegate === reporter)
    reporter = nil
    #expect(finder.delegate == nil)
    let quiet = Quiet()
    finder.delegate = quiet
    quiet.lunaFinder(didFindHeid: "")
    let start: (LunaConfiguration) -> Void = finder.startMonitoring(configuration:)
    let startByDefault: () -> Void = { finder.startMonitoring() }
    let stop: () -> Void = finder.stopMonitoring
    let updates: AsyncStream<FinderUpdate> = finder.updates
    _ = (start, startByDefault, stop, updates)
    withExtendedLifetime(quiet) {}
  }

  @Test("Each of the five has updates and errors")
  func streams() {
    let luna = Luna()
    let updates:
      (
        AsyncStream<FinderUpdate>, AsyncStream<LocalUpdate>, AsyncStream<RemoteCommand>,
        AsyncStream<LunaBuzzerEvent>, AsyncStream<LunaOnboarderEvent>
      ) = (
        luna.finder().updates, luna.local().updates, luna.owner().updates, luna.buzzer().updates,
        luna.onboarder().updates
      )
    let errors:
      (
        AsyncStream<any Error>, AsyncStream<any Error>, AsyncStream<any Error>,
        AsyncStream<BuzzerError>, AsyncStream<OnboardingError>
      ) = (
        luna.finder().errors, luna.local().errors, luna.owner().errors, luna.buzzer().errors,
        luna.onboarder().errors
      )
    let follow: (RemoteCommand) -> Void = luna.owner().startFollowing
    let stop: () -> Void = luna.owner().stopFollowing
    _ = (updates, errors, follow, stop)
  }

  @Test("Generic names are there twice, for programs that have others of the same name")
  func genericNames() {
    #expect(Event.self == Luna.Event.self && Event.self == LunaOwner.Event.self)
    #expect(Device.self == Luna.Device.self && LogLevel.self == Luna.LogLevel.self)
    let logger: any Luna.Logger = ConsoleLogger(level: .ERROR)
    #expect(logger.level == .ERROR)
  }

  @Test("LunaConfiguration has the defaults of the SDK")
  func configuration() {
    let configuration = LunaConfiguration()
    #expect(configuration.timeBetweenPostsToServerInSeconds == 10)
    #expect(configuration.maximumCacheSize == 10)
    #expect(configuration.minimumDistanceBetweenTwoLocationsInMeters == 10.0)
    #expect(configuration.minimumTimeBetweenTwoEventsInSeconds == 60.0)
    #expect(configuration.dataFilename == "luna-finder-memory.data")
    #expect(configuration.devicesFilename == "luna-finder-memory-devices.data")
    let accuracy: Double? = configuration.finderDesiredAccuracy
    #expect(accuracy == nil)
    let logger: any Logger = configuration.logger
    #expect(logger.level == .ERROR)
    let regions: [BluetoothUUID] = configuration.regions
    #expect(regions.count == 3)
    #expect(configuration.companies == [0xFFFF])
    #expect(configuration.backend == nil)
    #expect(configuration.allowInsecureDebugFields == false)
  }

  @Test("LunaLocal scans for devices and has them")
  func local() {
    let local = Luna().local()
    let start: ([Device]) -> Void = local.startScanning(_:)
    let stop: () -> Void = local.stopScanning
    let reset: () -> Void = local.reset
    let devices: [LocalDevice] = local.devices
    local.onDevicesUpdate = { (_: [LocalDevice]) in }
    let updates: AsyncStream<LocalUpdate> = local.updates
    #expect(devices.isEmpty)
    _ = (start, stop, reset, updates)
  }

  @Test("LunaOnboarder tells what it finds")
  func onboarder() {
    let onboarder = Luna().onboarder()
    onboarder.onEvent = { (event: LunaOnboarderEvent) in
      switch event {
      case .discoveredConnectableLuna(let address): _ = address as String
      case .discoveredNonConnectableLuna(let address): _ = address as String
      case .lunaOnboarded(let device): _ = device as Device
      }
    }
    onboarder.onError = { (error: OnboardingError) in _ = error.reason }
    let start: (LocalDevice) -> Void = { onboarder.startOnboarding(localDevice: $0) }
    let stop: () -> Void = onboarder.stopOnboarding
    _ = (start, stop)
  }

  @Test("LunaBuzzer tells what came of it")
  func buzzer() {
    let buzzer = Luna().buzzer()
    buzzer.onEvent = { (event: LunaBuzzerEvent) in
      switch event {
      case .buzzing(let receipt): _ = receipt.bytes
      case .failed(let error): _ = error.reason
      }
    }
    let start: (LocalDevice) -> Void = buzzer.startBuzzing(localDevice:)
    let deliver: (LocalDevice, [ControlPackage]) -> Void =
      buzzer.startBuzzing(localDevice:controlPackages:)
    let stop: () -> Void = buzzer.stopBuzzing
    _ = (start, deliver, stop)
  }

  @Test("LunaOwner finds events, with handlers and without")
  func owner() {
    let owner = Luna().owner()
    let withHandlers:
      (
        Device, Timestamp, Timestamp, @escaping @Sendable ([Event], String) -> Void,
        @escaping @Sendable (String) -> Void
      ) -> Void = owner.findEvents(device:dateFrom:dateTo:_:_:)
    let find: (Device, Timestamp, Timestamp) async throws -> FoundEvents =
      owner.findEvents(device:dateFrom:dateTo:)
    let all: () async throws -> [Device] = owner.allDevices
    let forget: (Device) async throws -> Bool = owner.forgetDevice(_:)
    _ = (withHandlers, find, all, forget)
  }

  @Test("Devices hide their keys")
  func devices() throws {
    let key = try #require(MasterKey(String(repeating: "5a", count: 32)))
    let device = Device(
      uuid: try #require(DeviceUUID("0F0E0D0C-0B0A-4908-8706-050403020100")), masterKey: key,
      onboardingTimestamp: Timestamp(microseconds: 0), name: "Keys")
    let (name, timestamp, masterKey): (String, Timestamp, MasterKey?) = (
      device.name, device.onboardingTimestamp, device.masterKey
    )
    #expect(name == "Keys" && timestamp.microseconds == 0 && masterKey != nil)
    for text in ["\(device)", String(reflecting: device), "\(key)", String(reflecting: key)] {
      #expect(!text.lowercased().contains("5a5a"), "\(text)")
    }
  }

  @Test("LocalDevice is what was heard of a tracker")
  func localDevice() throws {
    let uuid = try #require(DeviceUUID("0F0E0D0C-0B0A-4908-8706-050403020100"))
    let device = LocalDevice(LocalDevice.State(uuid: uuid, kind: .luna, name: "Keys"))
    let texts: [String?] = [device.name, device.heid, device.eid]
    let flags: [Bool?] = [device.timedOut, device.batteryLowLevel, device.connectable]
    let dates: [Timestamp?] = [device.lastSeenDate, device.firstSignalDate]
    let rssi: Double? = device.rssi
    let eids: [TimestampedEid] = device.timestampedEids
    let onboardable: Bool = device.onboardable
    #expect(texts == ["Keys", nil, nil] && flags == [nil, nil, nil] && dates == [nil, nil])
    #expect(rssi == nil && eids.isEmpty && !onboardable)
    #expect(device.identifier == uuid.description)
    let eid = TimestampedEid(eid: "00", receivedAt: Timestamp(microseconds: 1))
    let (text, received, expected, drift): (String, Timestamp, Timestamp?, Double) = (
      eid.eid, eid.receivedAt, eid.expectedAt, eid.drift
    )
    #expect(text == "00" && received.microseconds == 1 && expected == nil && drift.isNaN)
  }

  @Test("Events and loggers have their names")
  func others() {
    let event: (Event) -> (Timestamp, String, Double, Double, Bool) = {
      ($0.collectedAt, $0.eid, $0.latitude, $0.longitude, $0.batteryStatus)
    }
    let levels: [LogLevel] = [.DEBUG, .INFO, .ERROR]
    let logger: any Logger = ConsoleLogger(level: .ERROR)
    let package: (ControlPackage) -> HEID = { $0.heid }
    #expect(levels == LogLevel.allCases && logger.level == .ERROR)
    _ = (event, package)
  }
}
