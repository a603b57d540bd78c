import Bluetooth
import Synchronization

/// Wrong codes of those who approve sign-ins: of sessions in the storage, so that it does not matter which
/// server they ask; of tokens here.
final class WrongUserCodes: Sendable {
  private static let capacity = 10_000

  private let storage: any Storage
  private let tokens = Mutex<[String: CodeTries]>([:])

  init(storage: any Storage) { self.storage = storage }

  /// Counts a code as a wrong one until ``takeBack(by:)`` says that it was right: of several at the same moment, too, no
  /// more are looked for than may be.
  ///
  /// - Returns: after how many seconds somebody may give another code; nil where this one is looked for.
  func begin(by caller: Caller, at time: Timestamp) async throws(StorageError) -> Int? {
    let now = time.microseconds
    return try await change(of: caller) { tries in
      if let pause = tries.pause(at: now) { return pause }
      tries.note(at: now)
      return nil
    }
  }

  /// A code was right. Where that cannot be noted it counts as wrong, which is not worth failing for.
  func takeBack(by caller: Caller) async {
    _ = try? await change(of: caller) { tries in
      tries.takeBack()
      return nil
    }
  }

  private func change(
    of caller: Caller, _ body: @escaping @Sendable (inout CodeTries) -> Int?
  ) async throws(StorageError) -> Int? {
    guard let session = caller.session else {
      return tokens.withLock { tokens -> Int? in
        if tokens.count >= WrongUserCodes.capacity { tokens = [:] }
        return body(&tokens[caller.label, default: CodeTries()])
      }
    }
    return try await storage.transaction { rows throws(StorageError) -> Int? in
      let row = try rows.row(
        "SELECT wrong_codes, wrong_since FROM luna.sessions WHERE id = $1", [.text(session.id)])
      var tries = row.map { CodeTries(count: $0.integer(0), since: $0.integer(1)) } ?? CodeTries()
      let pause = body(&tries)
      if pause == nil {
        try rows.change(
          "UPDATE luna.sessions SET wrong_codes = $2, wrong_since = $3 WHERE id = $1",
          [.text(session.id), .integer(tries.count), .integer(tries.since)])
      }
      return pause
    }
  }
}
