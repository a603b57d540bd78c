import BlueZ
import LunaBuzzer
import LunaClient
import LunaCore
public import LunaFinder
import LunaLocation
import LunaProtocol
import LunaStore

extension LunaSettings {
  /// What a finder of these settings works with, for who wants to change a part of it.
  public var finderParts: FinderParts {
    let settings = self
    var parts = FinderParts(
      makeRadio: { duty in
        FinderRadio(
          try settings.makeRadio(duty == .sparse ? .passive : settings.mode), settings.buzzing,
          clock: settings.clock)
      },
      makeLocation: { accuracy in
        if let make = settings.makeLocation { return try make(accuracy) }
        return LocationChoice.gpsd(host: "localhost", port: LocationChoice.gpsdPort).makeSource(
          accuracy: accuracy, clock: settings.clock)
      },
      openQueue: { configuration in
        try SQLiteEventQueue(
          in: try settings.directory(), fileName: configuration.dataFilename,
          limit: configuration.queueLimit)
      },
      makeUploader: { try settings.makeClient($0.backend, .gateway) })
    parts.clock = clock
    parts.time = time
    parts.isSimulated = isSimulated
    parts.version = Luna.version()
    return parts
  }

  /// How trackers are made to sound.
  var buzzing: BuzzerConfiguration {
    BuzzerConfiguration(limits: buzzerLimits, protocolTime: { [time] in time($0) })
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
      throw BackendError(.local, error.reason, hint: error.hint)
    }
    return try BackendClient(configuration, token: .standard(role, in: directory.path))
  }
}
