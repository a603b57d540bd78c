import BlueZ
public import Bluetooth
public import LunaBuzzer
public import LunaClient
public import LunaCore
public import LunaLocal
import LunaLocation
public import LunaOnboarder
public import LunaProtocol
public import LunaStore

/// How ``Luna`` is put together. Every part can be one of the program's own; those that are not given
/// are built in, and opened when they are used.
public struct LunaSettings: Sendable {
  /// What hears and connects, one for all five: by default the best path to the first adapter. A
  /// `TrackerRoom` is a simulated room, a `CaptureRadio` a recording.
  public var radio: any RadioProvider = AdapterRadio()
  /// Whether scan responses are asked for, where that is not decided otherwise.
  public var mode = ScanMode.auto

  /// Where devices and the queue are; nil for `$XDG_DATA_HOME/luna`.
  public var state: StateDirectory?
  /// Gives the passphrase of devices whose keys are sealed.
  public var passphrase: SQLiteDeviceStore.PassphraseSource = { nil }
  /// Where devices are kept; nil for SQLite in ``state``.
  public var store: (any DeviceStore)?
  /// Where the finder keeps what it has not uploaded; nil for SQLite in ``state``. It is closed at the end of a run:
  /// one that has a file is for one run.
  public var queue: (any EventQueue)?

  /// Tells the finder where it is: by default gpsd on this machine.
  public var location: any LocationProvider = LocationChoice.gpsd(
    host: "localhost", port: LocationChoice.gpsdPort)

  /// The owner's backend, `https://HOST[:PORT]`. (A finder's is `LunaConfiguration.backend`.)
  public var backend: String?
  /// Brings what the finder has found to a backend; nil for `LunaConfiguration.backend` over HTTP.
  public var uploader: (any EventUploader)?
  /// How backends are reached; its address is not looked at.
  public var client = ClientConfiguration(url: "")
  /// The token of the gateway; nil for ``LunaClient/TokenSource/standard(_:in:)``.
  public var gatewayToken: TokenSource?
  /// The token of the owner; nil for ``LunaClient/TokenSource/standard(_:in:)``.
  public var ownerToken: TokenSource?

  /// Takes how the gateway is, and how it is used; nil for nobody.
  public var telemetry: (any TelemetrySink)?

  /// How trackers are followed. The time is that of ``time`` and of the ``radio``.
  public var local = LocalConfiguration()
  /// How long it may take to make a tracker sound.
  public var buzzerLimits = BuzzerLimits()
  /// How long it may take to make a tracker one's own.
  public var onboardingLimits = OnboardingLimits()

  /// Gives the code on the label of a tracker that is to be onboarded without one being given, perhaps
  /// from a person or a camera; nil for none.
  public var onboardingCode: @Sendable (LocalDevice) async -> OnboardingCode? = { _ in nil }

  /// Takes messages for whoever looks after the program; by default errors, on standard error.
  public var logger: any Logger = ConsoleLogger(level: .ERROR)
  /// The clocks of everything that waits; a test has others.
  public var clock = WallClock.system
  /// How the time of periods follows from the clock's, for tests.
  public var time = ProtocolTime.real

  /// All of it built in: the first adapter, SQLite in `$XDG_DATA_HOME/luna`, gpsd, and no backend.
  public init() {
    client.userAgent = "luna/\(Luna.version())"
  }
}
