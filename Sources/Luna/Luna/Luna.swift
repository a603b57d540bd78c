import BlueZ
import Bluetooth
public import LunaBuzzer
import LunaCore
public import LunaFinder
public import LunaLocal
public import LunaOnboarder
public import LunaOwner
import LunaProtocol
import LunaStore

/// Everything of Luna, put together: the adapter, the devices on disk, the queue, the way to a backend.
///
/// ```swift
/// let local = Luna.local()
/// local.startScanning(try await Luna.owner().allDevices())
/// for await update in local.updates { print(update.event, update.device.identifier) }
/// ```
///
/// Nothing is opened before it is used: what is wrong then is told by what is used, such as
/// `LunaLocal.onError` or the error that `LunaOwner.allDevices()` throws. Each of the five is made once
/// and given each time. Who wants another radio, directory or backend makes a ``Luna`` of their own;
/// who wants no SQLite or libcurl uses the modules without this one.
public final class Luna: Sendable {
  /// With the usual settings.
  public static let shared = Luna()

  /// How it is put together.
  public let settings: LunaSettings
  private let ownFinder: LunaFinder
  private let ownLocal: LunaLocal
  private let ownOwner: LunaOwner
  private let ownBuzzer: LunaBuzzer
  private let ownOnboarder: LunaOnboarder

  /// Puts everything together. Opens nothing yet.
  public init(_ settings: LunaSettings = LunaSettings()) {
    self.settings = settings
    let file = DevicesFile(SQLiteDeviceStore.defaultFileName)
    let store: any PendingStore = settings.store ?? LazyStore(settings, file)
    let radio = SharedRadio(settings.mode, settings.makeRadio)
    let (clock, logger, time) = (settings.clock, settings.logger, settings.time)
    var parts = settings.finderParts
    parts.openQueue = { [openQueue = parts.openQueue] configuration in
      file.name = configuration.devicesFilename
      return try openQueue(configuration)
    }
    ownFinder = LunaFinder(parts: parts)
    var following = settings.local
    following.time = time
    let local = LunaLocal(store: store, configuration: following, clock: clock, logger: logger) {
      try radio.makeSource()
    }
    let owner = LunaOwner(store: store, backend: LazyBackend(settings), ppm: settings.local.ppm)
    ownLocal = local
    ownOwner = owner
    ownBuzzer = LunaBuzzer(
      client: radio, packages: owner, store: store, configuration: settings.buzzing, clock: clock,
      logger: logger)
    ownOnboarder = LunaOnboarder(
      client: radio, nearby: local, store: store,
      configuration: OnboarderConfiguration(
        limits: settings.onboardingLimits, protocolTime: { time($0) },
        code: settings.onboardingCode),
      clock: clock, logger: logger)
  }

  // MARK: With settings of one's own

  /// Reports trackers of anybody to their owners. Listens by itself.
  public func finder() -> LunaFinder { ownFinder }

  /// Follows one's own trackers.
  public func local() -> LunaLocal { ownLocal }

  /// The devices, where they were, and commands for them.
  public func owner() -> LunaOwner { ownOwner }

  /// Makes trackers sound that ``local()-instance.method`` hears: its scan has to be on.
  public func buzzer() -> LunaBuzzer { ownBuzzer }

  /// Makes trackers one's own that ``local()-instance.method`` hears: its scan has to be on.
  public func onboarder() -> LunaOnboarder { ownOnboarder }

  // MARK: With the usual settings

  /// The version of Luna, such as `0.1.0`.
  public static func version() -> String { "0.1.0" }

  /// Reports trackers of anybody to their owners, with the usual settings. Listens by itself.
  public static func finder() -> LunaFinder { shared.finder() }

  /// Follows one's own trackers, with the usual settings.
  public static func local() -> LunaLocal { shared.local() }

  /// The devices, where they were, and commands for them, with the usual settings.
  public static func owner() -> LunaOwner { shared.owner() }

  /// Makes trackers sound that the scan of ``local()-type.method`` hears.
  public static func buzzer() -> LunaBuzzer { shared.buzzer() }

  /// Makes trackers one's own that the scan of ``local()-type.method`` hears.
  public static func onboarder() -> LunaOnboarder { shared.onboarder() }
}
