import Bluetooth
import Diagnosis
import EventLoop
import LunaBuzzer
import LunaClient
import LunaCore
import LunaFinder
import LunaLocal
import LunaOnboarder
import LunaProtocol
import LunaStore

extension LunaSettings {
  /// What a finder of these settings works with.
  func finderParts(_ shared: SharedRadio) -> FinderParts {
    let settings = self
    // A recording cannot be connected to.
    let runner =
      radio.air.isRecorded
      ? nil : LunaBuzzer(client: shared, configuration: buzzing, clock: clock)
    var parts = FinderParts(
      makeRadio: { duty in
        let mode = duty == .sparse ? ScanMode.passive : settings.mode
        // Through bluetoothd, and with controllers that filter by themselves, one can only scan
        // actively.
        let otherwise = mode == settings.mode ? nil : settings.mode
        return FinderRadio(
          source: try shared.makeSource(mode, otherwise: otherwise), runner: runner)
      },
      makeLocation: { try settings.location.makeSource(accuracy: $0, clock: settings.clock) },
      openQueue: { configuration in
        if let queue = settings.queue { return queue }
        return try await Blocking.run { () throws(DeviceStoreError) in
          try SQLiteEventQueue(
            in: try settings.directory(), fileName: configuration.dataFilename,
            limit: configuration.queueLimit)
        }
      },
      makeUploader: { configuration in
        if let uploader = settings.uploader { return uploader }
        return try settings.makeClient(configuration.backend, .gateway)
      })
    parts.clock = clock
    parts.time = time
    parts.isRecording = radio.air.isRecorded
    parts.isSimulated = radio.air == .simulated
    parts.version = Luna.version()
    parts.telemetry = telemetry
    parts.facts = { .ofThisMachine() }
    parts.machine = { .ofThisMachine(files: try? settings.directory().path) }
    parts.deviceNames = {
      try await Blocking.run { () throws(DeviceStoreError) in
        let directory = try settings.directory()
        return DeviceNames(
          key: try directory.secret("devices.key", count: DeviceNames.keyCount))
      }
    }
    parts.addUplink = { settings.addUplink(to: &$0) }
    return parts
  }

  /// How trackers are followed.
  var following: LocalConfiguration {
    var configuration = local
    configuration.time = time
    configuration.isRecording = radio.air.isRecorded
    configuration.timePasses = radio.air.hasTime
    return configuration
  }

  /// How trackers are made to sound.
  var buzzing: BuzzerConfiguration {
    BuzzerConfiguration(limits: buzzerLimits, protocolTime: { [time] in time($0) })
  }

  /// How trackers are made one's own.
  var onboarding: OnboarderConfiguration {
    OnboarderConfiguration(
      limits: onboardingLimits, protocolTime: { [time] in time($0) }, code: onboardingCode)
  }

  /// Says what the last check of the uplink said, if there was one in the last 30 days.
  private func addUplink(to report: inout HealthReport) {
    let now = WallClock.system.now()
    report.uplinkVerdict = "unknown"
    guard let directory = try? directory(),
      let last = try? UplinkStore.lastSummary(in: directory, at: now)
    else { return }
    report.uplinkVerdict = last.verdict
    report.uplinkRatio = last.ratio
    report.uplinkSeconds = max(0, (now.microseconds - last.time.microseconds) / 1_000_000)
    report.uplinkLocated = last.located
  }

  /// Where devices and the queue are.
  func directory() throws(DeviceStoreError) -> StateDirectory {
    if let state { return state }
    return try .standard()
  }

  /// The devices on disk.
  func openStore(_ fileName: String) throws(DeviceStoreError) -> SQLiteDeviceStore {
    try SQLiteDeviceStore(
      in: directory(), fileName: fileName, logger: logger, passphrase: passphrase)
  }

  /// The way to a backend; nil without an address.
  func makeClient(
    _ address: String?, _ role: TokenSource.Role
  ) throws(BackendError) -> BackendClient? {
    guard let address else { return nil }
    var configuration = client
    configuration.url = address
    let given = role == .gateway ? gatewayToken : ownerToken
    if let given { return try BackendClient(configuration, token: given) }
    let directory: StateDirectory
    do throws(DeviceStoreError) {
      directory = try self.directory()
    } catch {
      throw BackendError(.local, error.reason, remedy: error.remedy)
    }
    return try BackendClient(configuration, token: .standard(role, in: directory.path))
  }
}
