public import BlueZ
public import Bluetooth
public import LunaBuzzer
public import LunaClient
public import LunaCore
public import LunaLocal
public import LunaOnboarder
public import LunaProtocol
public import LunaStore

/// How ``Luna`` is put together.
public struct LunaSettings: Sendable {
  /// Gives a radio, not started, that asks for scan responses or not. By default the best path to the
  /// first adapter.
  public var makeRadio: @Sendable (ScanMode) throws -> Radio = { mode in
    try BlueZ.makeRadio(.auto, options: ScanOptions(mode: mode))
  }
  /// Whether scan responses are asked for, where that is not decided otherwise.
  public var mode = ScanMode.auto
  /// Whether what is heard is made up; reports say so.
  public var isSimulated = false

  /// Where devices and the queue are; nil for `$XDG_DATA_HOME/luna`.
  public var state: StateDirectory?
  /// Gives the passphrase of devices whose keys are sealed.
  public var passphrase: SQLiteDeviceStore.PassphraseSource = { nil }
  /// A store of one's own in the place of SQLite.
  public var store: (any PendingStore)?

  /// Gives what tells where this machine is, for a wanted accuracy in m; nil for gpsd on this machine.
  public var makeLocation: (@Sendable (Double?) throws -> any LocationSource)?

  /// The owner's backend, `https://HOST[:PORT]`. (A finder's is `LunaConfiguration.backend`.)
  public var backend: String?
  /// How backends are reached; its address is not looked at.
  public var client = ClientConfiguration(url: "")
  /// The token of the gateway; nil for ``LunaClient/TokenSource/standard(_:in:)``.
  public var gatewayToken: TokenSource?
  /// The token of the owner; nil for ``LunaClient/TokenSource/standard(_:in:)``.
  public var ownerToken: TokenSource?

  /// How trackers are followed. Its time is that of ``time``.
  public var local = LocalConfiguration()
  /// How long it may take to make a tracker sound.
  public var buzzerLimits = BuzzerLimits()
  /// How long it may take to make a tracker one's own.
  public var onboardingLimits = OnboardingLimits()

  /// Gives the code on the label of a tracker that is to be onboarded without one being given, perhaps
  /// from a person or a camera; nil for none.
  public var onboardingCode: @Sendable (LocalDevice) async -> OnboardingCode? = { _ in nil }

  /// Takes messages.
  public var logger: any Logger = ConsoleLogger(level: .ERROR)
  /// The clocks.
  public var clock = WallClock.system
  /// How the time of periods follows from the clock's, for tests.
  public var time = ProtocolTime.real

  /// The usual settings.
  public init() {
    client.userAgent = "luna/\(Luna.version())"
  }
}
