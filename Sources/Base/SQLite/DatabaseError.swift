/// What a room that uses a database throws, made from what SQLite says.
public protocol DatabaseError: Error {
  /// What a failure means to a user of the room.
  ///
  /// - Parameter doing: `open`, `read` or `write`.
  init(_ failure: SQLiteFailure, path: String, doing: String)
}
