public import LunaCore
public import LunaStore

/// How a home is put together.
public struct HomeSettings: Sendable {
  /// Gives the messages that its rules send their way out.
  package typealias OutboxMaker =
    @Sendable (HomeStore, NotificationSettings) async throws -> any HomeOutbox

  /// Reads the file; called at the start and at each reload.
  public var load: @Sendable () async throws -> LoadedHome
  /// Where `home.sqlite` and `home.sock` are.
  public var state: StateDirectory
  /// Whether others on this machine may use it by `home.sock`.
  public var hasSocket = true
  /// Classes of devices of one's own, by the names that `devices[].class` says.
  public var classes: [String: any HomeDevice.Type] = [:]
  /// Takes messages.
  public var logger: any Logger = ConsoleLogger(level: .ERROR)
  /// Whether all of it is made up.
  public var isSimulated = false
  /// Tells how much is free where a directory is, bytes; nil when nobody can tell. It may block.
  public var freeSpace: @Sendable (String) -> UInt64? = { DiskSpace.free(at: $0) }
  /// The largest the database may be, bytes.
  package var largest: Int64 = 2 << 30
  /// Gives what brings messages to people; without it they fail, and that is recorded.
  package var makeOutbox: OutboxMaker?

  /// - Parameters:
  ///   - state: where `home.sqlite` and `home.sock` are.
  ///   - load: reads the file.
  public init(state: StateDirectory, load: @escaping @Sendable () async throws -> LoadedHome) {
    self.state = state
    self.load = load
  }
}
