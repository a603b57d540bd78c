public import Bluetooth
import Diagnosis
public import LunaCore
import LunaProtocol

/// How a finder works.
public struct LunaConfiguration: Sendable {
  /// How long the first event of a batch waits for others, s.
  public var timeBetweenPostsToServerInSeconds: Double = 10
  /// How many events make a batch, at most 1,000. (The name is of old; the queue has ``queueLimit``.)
  public var maximumCacheSize = 10
  /// How far away a fix has to lie before it changes the position in use, m.
  public var minimumDistanceBetweenTwoLocationsInMeters: Double = 10
  /// How often a tracker is reported at most while it keeps its identifier, s.
  public var minimumTimeBetweenTwoEventsInSeconds: Double = 60
  /// The file of the queue, in the state directory.
  public var dataFilename = "luna-finder-memory.data"
  /// The file of devices, in the state directory. A finder needs none; `Luna` keeps those of its other
  /// modules there.
  public var devicesFilename = "luna-finder-memory-devices.data"
  /// How exact positions are wanted, m; nil for the best there is.
  public var finderDesiredAccuracy: Double?
  /// Takes messages.
  public var logger: any Logger
  /// The UUIDs of the Luna regions, by index.
  public var regions: [BluetoothUUID] = IBeaconFrame.defaultRegions
  /// The companies whose Luna frames are taken.
  public var companies: [UInt16] = LunaFrame.defaultCompanies
  /// The address of the backend; nil to collect only.
  public var backend: String?
  /// How many events the queue holds; beyond, the oldest go.
  public var queueLimit = 200_000
  /// How much to listen.
  public var duty = FinderDuty.auto
  /// What the backend is told of the advertisers nearby.
  public var devices = DeviceDetail.counts
  /// Whether events carry clear fields besides the sealed ones, for tests: everybody who stores them
  /// can read them.
  public var sendsDebugFields = false
  /// Whether ``sendsDebugFields`` may be on.
  public var allowInsecureDebugFields = false

  /// The usual configuration.
  public init(logger: any Logger = ConsoleLogger(level: .ERROR)) { self.logger = logger }

  /// Refuses what makes no sense.
  func check() throws(FinderError) {
    for (name, value) in [
      ("timeBetweenPostsToServerInSeconds", timeBetweenPostsToServerInSeconds),
      ("minimumDistanceBetweenTwoLocationsInMeters", minimumDistanceBetweenTwoLocationsInMeters),
      ("minimumTimeBetweenTwoEventsInSeconds", minimumTimeBetweenTwoEventsInSeconds),
    ] where !(0...86_400 ~= value) {
      throw FinderError(.configuration, "\(name) is not within 0 to 86400")
    }
    guard 1...EventBatch.limit ~= maximumCacheSize else {
      throw FinderError(.configuration, "maximumCacheSize is not within 1 to \(EventBatch.limit)")
    }
    guard queueLimit >= maximumCacheSize else {
      throw FinderError(.configuration, "queueLimit is less than maximumCacheSize")
    }
    for (name, file) in [("dataFilename", dataFilename), ("devicesFilename", devicesFilename)] {
      // By bytes, as the system reads it: a slash with an accent is another character.
      guard !file.isEmpty, file != ".", file != "..",
        !file.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == 0 })
      else {
        throw FinderError(.configuration, "\(name) is no name of a file")
      }
    }
    guard dataFilename != devicesFilename else {
      throw FinderError(.configuration, "dataFilename and devicesFilename name the same file")
    }
    guard !sendsDebugFields || allowInsecureDebugFields else {
      throw FinderError(
        .configuration, "debug fields would show positions and identifiers to the backend",
        remedy: "leave them out, or allow it with allowInsecureDebugFields")
    }
  }
}
