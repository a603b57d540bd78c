public import Bluetooth
import Glibc
public import LunaCore
import SQLite

/// A queue in a SQLite database (WAL, synchronous = FULL): what was taken is kept through `kill -9`,
/// a full disk and a clock that jumps. One process at a time.
public final class SQLiteEventQueue: EventQueue {
  /// How many events fit unless told otherwise: about 40 MB.
  public static let defaultLimit = 200_000

  /// Where it is.
  public let path: String
  private let connection: QueueConnection

  /// Opens a queue, and makes it where there is none.
  ///
  /// - Parameter limit: how many events fit.
  /// - Throws: ``DeviceStoreError``; of kind `busy` when another finder uses it.
  public init(
    in directory: StateDirectory, fileName: String, limit: Int = defaultLimit
  ) throws(DeviceStoreError) {
    path = "\(directory.path)/\(fileName)"
    connection = try QueueConnection(directory: directory, fileName: fileName, limit: limit)
  }

  /// What a queue holds, whoever uses it at present; nil when there is none.
  public static func status(
    in directory: StateDirectory, fileName: String, at now: Timestamp
  ) throws(DeviceStoreError) -> QueueStatus? {
    let path = "\(directory.path)/\(fileName)"
    guard access(path, F_OK) == 0 else { return nil }
    let database = try Database(path: path, patience: .seconds(10))
    guard try Migration.queue.check(database) == Migration.queue.steps.count else { return nil }
    return try QueueConnection.status(of: database, at: now)
  }

  /// Adds events: all of them or none.
  public func append(
    _ events: [TrackerEvent], at time: Timestamp
  ) async throws(DeviceStoreError) {
    try await connection.append(events, at: time)
  }

  /// The events whose turn it is.
  public func next(_ limit: Int) async throws(DeviceStoreError) -> [QueuedEvent] {
    try await connection.next(limit)
  }

  /// Takes note of what became of an upload.
  public func settle(_ settlement: UploadSettlement) async throws(DeviceStoreError) {
    try await connection.settle(settlement)
  }

  /// Adds a confirmation.
  public func append(
    _ confirmation: CommandConfirmation, at time: Timestamp
  ) async throws(DeviceStoreError) {
    try await connection.append(confirmation, at: time)
  }

  /// The oldest confirmation.
  public func nextConfirmation() async throws(DeviceStoreError) -> QueuedConfirmation? {
    try await connection.nextConfirmation()
  }

  /// Removes a confirmation that the backend has, or does not want.
  public func settleConfirmation(
    _ id: Int64, refusal: String?
  ) async throws(DeviceStoreError) {
    try await connection.settleConfirmation(id, refusal: refusal)
  }

  /// Counts sightings that were lost; written at once, or with the next one.
  public func count(dropped reason: String, by number: Int) async {
    await connection.count(dropped: reason, by: number)
  }

  /// How many events wait.
  public var waiting: Int { get async { await connection.waiting } }

  /// What there is to tell.
  public func status(at now: Timestamp) async throws(DeviceStoreError) -> QueueStatus {
    try await connection.status(at: now)
  }
}
