public import Bluetooth
public import LunaBuzzer
public import LunaCore
public import LunaCrypto
public import LunaFinder
public import LunaLocal
public import LunaOnboarder
public import LunaOwner
import LunaProtocol
package import LunaStore

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
  private let store: any DeviceStore
  private let sharedRadio: SharedRadio
  private let ownFinder: LunaFinder
  private let ownLocal: LunaLocal
  private let ownOwner: LunaOwner
  private let backend: LazyBackend?
  private let ownBuzzer: LunaBuzzer
  private let ownOnboarder: LunaOnboarder

  /// Puts everything together. Opens nothing yet.
  public init(_ settings: LunaSettings = LunaSettings()) {
    self.settings = settings
    let file = DevicesFile(SQLiteDeviceStore.defaultFileName)
    let store: any DeviceStore = settings.store ?? LazyStore(settings, file)
    let radio = SharedRadio(settings.radio)
    let (clock, logger) = (settings.clock, settings.logger)
    var parts = settings.finderParts(radio)
    parts.openQueue = { [openQueue = parts.openQueue] configuration in
      file.name = configuration.devicesFilename
      return try await openQueue(configuration)
    }
    self.store = store
    sharedRadio = radio
    ownFinder = LunaFinder(parts: parts)
    let local = LunaLocal(
      store: store, configuration: settings.following, clock: clock, logger: logger
    ) { [mode = settings.mode] () throws(SourceError) in try radio.makeSource(mode) }
    let backend = settings.backend == nil ? nil : LazyBackend(settings)
    self.backend = backend
    let owner = LunaOwner(store: store, backend: backend, ppm: settings.local.ppm, clock: clock)
    ownLocal = local
    ownOwner = owner
    ownBuzzer = LunaBuzzer(
      client: radio, packages: owner, store: store, configuration: settings.buzzing, clock: clock,
      logger: logger)
    ownOnboarder = LunaOnboarder(
      client: radio, nearby: local, store: store, configuration: settings.onboarding, clock: clock,
      logger: logger)
  }

  /// Reports trackers of anybody to their owners. Listens by itself.
  public func finder() -> LunaFinder { ownFinder }

  /// Follows one's own trackers.
  public func local() -> LunaLocal { ownLocal }

  /// The devices, where they were, and commands for them.
  public func owner() -> LunaOwner { ownOwner }

  /// Asks whether the owner's backend is there, without a token; where none is named there is nothing to ask.
  ///
  /// - Parameter limit: how long its answer may take.
  package func reachBackend(within limit: Duration) async throws(BackendError) {
    try await backend?.reach(within: limit)
  }

  /// Opens the keys of the devices, where they are sealed under a passphrase that was not known when this was made.
  ///
  /// - Throws: `DeviceStoreError`, of kind `locked` when it is another passphrase.
  public func unlock(with passphrase: SecretBytes) async throws(DeviceStoreError) {
    try await store.unlock(with: passphrase)
  }

  /// Makes trackers sound that ``local()-method`` hears: its scan has to be on.
  public func buzzer() -> LunaBuzzer { ownBuzzer }

  /// Makes trackers one's own that ``local()-method`` hears: its scan has to be on.
  public func onboarder() -> LunaOnboarder { ownOnboarder }

  /// All that is heard, for who wants more than the others tell: one more listener of the same radio,
  /// not started.
  ///
  /// - Throws: `SourceError` when the settings of the radio make no sense.
  public func advertisements() throws(SourceError) -> any AdvertisementSource {
    try sharedRadio.makeSource(settings.mode)
  }

  /// Makes trackers of others sound, and asks them what they are, with the same radio: a scan has to
  /// be on.
  ///
  /// - Parameters:
  ///   - limits: how long it may take; nil for those of the settings.
  ///   - device: waits for the next advertisement of the tracker, at most for a time, and gives it; nil
  ///     when none has come.
  ///   - progress: gets how far it has come.
  public func ringer(
    limits: BuzzerLimits? = nil,
    hearing device: @escaping @Sendable (Duration) async -> AdvertisingReport?,
    progress: @escaping @Sendable (BuzzerProgress) -> Void = { _ in }
  ) -> NonOwnerRinger {
    NonOwnerRinger(
      client: sharedRadio, limits: limits ?? settings.buzzerLimits, clock: settings.clock,
      hearing: device, progress: progress)
  }

  /// The file of the devices; nil where they are kept elsewhere.
  package func devicesOnDisk() async throws(DeviceStoreError) -> SQLiteDeviceStore? {
    var found = store
    while let front = found as? any ForwardingStore { found = try await front.opened() }
    return found as? SQLiteDeviceStore
  }

  /// The version of Luna, such as `0.2.0`.
  public static func version() -> String { LunaVersion.text }

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
