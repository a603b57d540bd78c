public import LunaCore
import LunaCrypto
public import LunaProtocol

/// What a finder works with: the radio, the location, the queue and the backend are the caller's.
public struct FinderParts: Sendable {
  /// Gives a radio that listens so; called anew whenever the duty changes.
  public var makeRadio: @Sendable (ScanDuty) throws -> FinderRadio
  /// Gives a location source, for a wanted accuracy in m.
  public var makeLocation: @Sendable (Double?) throws -> any LocationSource
  /// Opens the queue.
  public var openQueue: @Sendable (LunaConfiguration) async throws -> any EventQueue
  /// Gives the way to the backend; nil when there is none.
  public var makeUploader: @Sendable (LunaConfiguration) throws -> (any EventUploader)?
  /// The clocks of everything that waits; a test has others.
  public var clock = WallClock.system
  /// How the time of reports follows from the clock's, for tests.
  public var time = ProtocolTime()
  /// Whether what is heard is a recording: then time is that of the reports, and the end of the
  /// recording ends the run.
  public var isRecording = false
  /// Whether what is heard is made up: reports say so.
  public var isSimulated = false
  /// What the gateway knows of itself, asked for each event with debug fields; by itself nothing. `Luna` looks.
  public var facts: @Sendable () -> GatewayFacts = { GatewayFacts() }
  /// Takes how the gateway is, and how it is used; nil for nobody.
  public var telemetry: (any TelemetrySink)?
  /// Gives the key of pseudonyms, asked where ``LunaConfiguration/devices`` wants those.
  public var deviceNames: @Sendable () async throws -> DeviceNames = {
    DeviceNames(key: try SecureRandom.secret(count: DeviceNames.keyCount))
  }
  /// How the machine is, asked once a minute where somebody wants to know; by itself unknown. `Luna` looks.
  public var machine: @Sendable () -> MachineHealth = { MachineHealth() }
  /// Adds what the last check of the uplink said to a report.
  public var addUplink: @Sendable (inout HealthReport) -> Void = { _ in }
  /// What the backend is told of the program.
  public var version = ""

  /// The parts that are needed.
  public init(
    makeRadio: @escaping @Sendable (ScanDuty) throws -> FinderRadio,
    makeLocation: @escaping @Sendable (Double?) throws -> any LocationSource,
    openQueue: @escaping @Sendable (LunaConfiguration) async throws -> any EventQueue,
    makeUploader: @escaping @Sendable (LunaConfiguration) throws -> (any EventUploader)?
  ) {
    self.makeRadio = makeRadio
    self.makeLocation = makeLocation
    self.openQueue = openQueue
    self.makeUploader = makeUploader
  }
}
