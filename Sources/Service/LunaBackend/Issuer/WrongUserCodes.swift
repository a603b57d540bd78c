import Bluetooth
import Synchronization

/// Wrong codes of those who approve sign-ins: of sessions in the storage, so that it does not matter which
/// server they ask; of tokens here.
final class WrongUserCodes: Sendable {
  private static let capacity = 10_000

  private let storage: any Storage
  private let tokens = Mutex<[String: CodeTries]>([:])

  init(storage: any Storage) { self.storage = storage }

  /// After how many seconds somebody may give another code; nil for now.
  func pause(of caller: Caller, at time: Timestamp) async throws(StorageError) -> Int? {
    guard let session = caller.session else {
      return tokens.withLock { $0[caller.label]?.pause(at: time.microseconds) }
    }
    let tries = try await storage.lookUp { rows throws(StorageError) in
      try WrongUserCodes.tries(session, rows)
    }
    return tries.pause(at: time.microseconds)
  }

  /// Notes a wrong code.
  func note(by caller: Caller, at time: Timestamp) async throws(StorageError) {
    guard let session = caller.session else {
      tokens.withLock { tokens in
        if tokens.count >= WrongUserCodes.capacity { tokens = [:] }
        tokens[caller.label, default: CodeTries()].note(at: time.microseconds)
      }
      return
    }
    _ = try await storage.transaction { rows throws(StorageError) in
      var tries = try WrongUserCodes.tries(session, rows)
      tries.note(at: time.microseconds)
      return try rows.change(
        "UPDATE luna.sessions SET wrong_codes = $2, wrong_since = $3 WHERE id = $1",
        [.text(session.id), .integer(tries.count), .integer(tries.since)])
    }
  }

  private static func tries(
    _ session: Session, _ rows: any StorageTransaction
  ) throws(StorageError) -> CodeTries {
    let row = try rows.row(
      "SELECT wrong_codes, wrong_since FROM luna.sessions WHERE id = $1", [.text(session.id)])
    return row.map { CodeTries(count: $0.integer(0), since: $0.integer(1)) } ?? CodeTries()
  }
}
