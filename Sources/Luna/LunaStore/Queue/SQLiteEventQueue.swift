public import Bluetooth
import Diagnosis
public import LunaCore
import SQLite

/// A queue in a SQLite database (WAL, synchronous = FULL): what was taken is kept through `kill -9`,
/// a full disk and a clock that jumps. One process at a time. A file that is deleted or replaced while
/// it is in use is made anew, with all that it held.
public final class SQLiteEventQueue: EventQueue {
  /// How many events fit unless told otherwise: about 40 MB.
  public static let defaultLimit = 200_000

  /// The path of its file.
  public let path: String
  private let connection: QueueConnection

  /// Opens a queue, and makes it where there is none.
  ///
  /// - Parameter limit: how many events fit.
  /// - Throws: ``LunaCore/DeviceStoreError``; of kind `busy` when another finder uses it.
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
    guard try directory.holds(fileName) else { return nil }
    let place: DatabasePlace = try Database.place(of: path)
    // Who opened it would have left out without a word what comes after the damage.
    if let damage = LogWatch.damageLeft(at: place) {
      throw DeviceStoreError(
        .damaged, "\(path) is damaged: \(damage)",
        remedy: "start \(.gateway), which takes what can be read, and counts the rest")
    }
    let database = try Database(at: place, patience: .seconds(10))
    // The log is for the one that uses the queue.
    database.keepLog(true)
    let version = try Migration.queue.check(database)
    guard version > 0 else { return nil }
    guard version == Migration.queue.steps.count else {
      throw DeviceStoreError(
        .failed, "\(path) is as an older version of Luna keeps it",
        remedy: "start \(.gateway) of this version once")
    }
    return try QueueConnection.status(of: database, at: now)
  }

  /// Adds events: all of them or none.
  public func append(
    _ events: [TrackerEvent], at time: Timestamp, isDoubtful: Bool
  ) async throws(DeviceStoreError) {
    try await connection.append(events, at: time, isDoubtful: isDoubtful)
  }

  /// The events whose turn it is.
  public func next(_ limit: Int) async throws(DeviceStoreError) -> [QueuedEvent] {
    try await connection.next(limit)
  }

  /// An event that waits.
  public func event(_ id: Int64) async throws(DeviceStoreError) -> QueuedEvent? {
    try await connection.event(id)
  }

  /// Takes note of what became of an upload.
  public func settle(_ settlement: UploadSettlement) async throws(DeviceStoreError) {
    try await connection.settle(settlement)
  }

  /// Adds a confirmation behind the others.
  public func append(
    _ confirmation: CommandConfirmation, at time: Timestamp
  ) async throws(DeviceStoreError) {
    try await connection.append(confirmation, at: time)
  }

  /// The oldest confirmation, which stays until it is settled; nil where none waits.
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
  public func count(dropped reason: String, by number: Int, at time: Timestamp) async {
    await connection.count(dropped: reason, by: number, at: time)
  }

  /// Notes for who asks for the status whether identifiers appear too fast.
  public func note(_ crowd: CrowdStatus?) async { await connection.note(crowd) }

  /// Writes what could not be written, and makes a new file where this one is gone.
  public func tend(at time: Timestamp) async -> [QueueNotice] { await connection.tend(at: time) }

  /// How many events wait.
  public var waiting: Int { get async { await connection.waiting } }

  /// Writes what could not be written, closes the file and lets another queue have the place. Whatever
  /// comes later fails.
  public func close() async { await connection.close() }

  /// What there is to tell.
  public func status(at now: Timestamp) async throws(DeviceStoreError) -> QueueStatus {
    try await connection.status(at: now)
  }
}
