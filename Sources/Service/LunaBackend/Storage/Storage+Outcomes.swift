import Bluetooth

extension Storage {
  /// Whether the outcome of a request is known.
  func hasOutcome(_ key: OutcomeKey, at time: Timestamp) async throws(StorageError) -> Bool {
    try await lookUp { work throws(StorageError) in
      try work.row(
        "SELECT 1 FROM luna.outcomes WHERE id = $1 AND expires > $2",
        [.bytes(key.digest), .integer(time.microseconds)]) != nil
    }
  }

  /// Forgets the outcomes that nobody asks for any more.
  func forgetOutcomes(at time: Timestamp) async throws(StorageError) {
    try await transaction(isSerial: false) { work throws(StorageError) in
      _ = try work.change(
        "DELETE FROM luna.outcomes WHERE expires <= $1", [.integer(time.microseconds)])
    }
  }
}

extension StorageTransaction {
  /// What a request has made that is repeated; nil where it is a new one. Whoever repeats it at the same time waits.
  func repeated(_ key: OutcomeKey, at time: Timestamp) throws(StorageError) -> String? {
    // Written, though nothing changes: the commit of it then waits for whatever the first one's should have waited
    // for, such as a standby.
    try row(
      "UPDATE luna.outcomes SET made = made WHERE id = $1 AND expires > $2 RETURNING made",
      [.bytes(key.digest), .integer(time.microseconds)]
    )?.text(0)
  }

  /// Keeps what a request has made.
  func keep(_ made: String, for key: OutcomeKey, at time: Timestamp) throws(StorageError) {
    try change(
      """
      INSERT INTO luna.outcomes(id, made, expires) VALUES($1, $2, $3)
      ON CONFLICT(id) DO UPDATE SET made = excluded.made, expires = excluded.expires
      """,
      [
        .bytes(key.digest), .text(made),
        .integer(time.advanced(by: OutcomeKey.life).microseconds),
      ])
  }

  /// The token for an enrolment code: made the first time, and anew where the answer to the first time was lost, as
  /// the text of a token is kept nowhere.
  ///
  /// - Parameters:
  ///   - name: whose the code is, where this has used it up.
  ///   - token: makes the token of a gateway with that name.
  ///   - insert: keeps a token.
  /// - Returns: the token; nil where it is too late for the code, or somebody has revoked what it gave.
  func redeem(
    _ name: String?, as key: OutcomeKey, at time: Timestamp,
    token: (String) throws(StorageError) -> TokenRecord,
    insert: (TokenRecord) throws(StorageError) -> Void
  ) throws(StorageError) -> TokenRecord? {
    let record: TokenRecord
    if let name {
      record = try token(name)
    } else {
      guard let made = try repeated(key, at: time),
        let holder = try row(
          "SELECT name FROM luna.tokens WHERE id = $1 AND revoked IS NULL", [.text(made)])
      else { return nil }
      record = try token(holder.text(0))
      // The same one: it was kept, and only that was not heard.
      if record.id == made { return record }
      try change(
        "UPDATE luna.tokens SET revoked = $1 WHERE id = $2",
        [.integer(time.microseconds), .text(made)])
    }
    try insert(record)
    try keep(record.id, for: key, at: time)
    return record
  }
}
