import Bluetooth
import Diagnosis

/// The issuer that a backend is itself: signs programs in with a code that somebody approves, and gives
/// them tokens (RFC 6749, RFC 8628; FLEET.md, 2).
package struct OwnIssuer: Sendable {
  /// As what programs are known here.
  static let client = "luna"

  let storage: any Storage

  /// An issuer that keeps what it gives in a storage.
  package init(storage: any Storage) { self.storage = storage }

  /// What becomes of a token to refresh.
  enum RefreshAnswer: Sendable {
    case tokens(IssuedTokens)
    /// It is no such token, or has ended.
    case unknown
    /// It was used before: the sign-in has ended now, for two hold it.
    case reuse(IssuedHolder)
  }

  /// Gives the next tokens for one.
  func refresh(
    _ token: IssuedToken, client: String, at time: Timestamp
  ) async throws(StorageError) -> RefreshAnswer {
    let digest = try token.digest()
    let next = try IssuedToken(.refresh, family: token.family)
    let access = try IssuedToken(.access)
    let (nextDigest, accessDigest) = (try next.digest(), try access.digest())
    let now = time.microseconds
    return try await storage.transaction { rows throws(StorageError) in
      let row = try rows.row(
        """
        SELECT kind, holder, generation, current, previous, is_current_used FROM luna.refresh
        WHERE family = $1 AND client = $2 AND expires > $3 AND ended IS NULL
        """, [.text(token.family), .text(client), .integer(now)])
      guard let row, let holder = IssuedHolder(kind: row.text(0), holder: row.text(1)) else {
        return .unknown
      }
      var family = RefreshFamily(
        generation: row.integer(2), current: row.bytes(3), previous: row.optionalBytes(4),
        isCurrentUsed: row.integer(5) != 0)
      let verdict = family.verdict(on: digest)
      switch verdict {
      case .reuse:
        try OwnIssuer.end(token.family, at: time, rows)
        return .reuse(holder)
      case .repeatRotation:
        // Nobody has them; who has got them all the same is not the one who asks now.
        try rows.change(
          "DELETE FROM luna.access WHERE family = $1 AND generation = $2",
          [.text(token.family), .integer(family.generation)])
      case .rotate: break
      }
      family.note(nextDigest, after: verdict)
      try rows.change(
        """
        UPDATE luna.refresh SET generation = $2, current = $3, previous = $4, is_current_used = 0,
          seen = $5, expires = $6 WHERE family = $1
        """,
        [
          .text(token.family), .integer(family.generation), .bytes(family.current),
          .bytes(family.previous), .integer(now),
          .integer(now + holder.scope.days * 86_400_000_000),
        ])
      try rows.change(
        "DELETE FROM luna.access WHERE family = $1 AND expires <= $2",
        [.text(token.family), .integer(now)])
      try OwnIssuer.keep(
        accessDigest, of: token.family, generation: family.generation, at: time, rows)
      return .tokens(IssuedTokens(access: access, refresh: next, holder: holder))
    }
  }

  /// Whose an access token is; nil when it is none, or has ended.
  func holder(
    of token: IssuedToken, at time: Timestamp
  ) async throws(StorageError) -> IssuedHolder? {
    let digest = try token.digest()
    let row = try await storage.lookUp { rows throws(StorageError) in
      try rows.row(
        """
        SELECT r.kind, r.holder, r.family, a.generation,
          CASE WHEN a.generation = r.generation AND r.is_current_used = 0 THEN 1 ELSE 0 END
        FROM luna.access AS a JOIN luna.refresh AS r ON r.family = a.family
        WHERE a.digest = $1 AND a.expires > $2 AND r.ended IS NULL
        """, [.bytes(digest), .integer(time.microseconds)])
    }
    guard let row, let holder = IssuedHolder(kind: row.text(0), holder: row.text(1)) else {
      return nil
    }
    if row.integer(4) != 0 {
      // The answer with it arrived: the token before is used up from now on.
      let (family, generation) = (row.values[2], row.values[3])
      _ = try await storage.transaction(isSerial: false) { rows throws(StorageError) in
        try rows.change(
          "UPDATE luna.refresh SET is_current_used = 1 WHERE family = $1 AND generation = $2",
          [family, generation])
      }
    }
    return holder
  }

  /// Ends a sign-in, or an access token alone (RFC 7009). What is none is ended already.
  func revoke(_ text: String, at time: Timestamp) async throws(StorageError) {
    if let token = IssuedToken(.refresh, text) {
      try await storage.transaction { rows throws(StorageError) in
        try OwnIssuer.end(token.family, at: time, rows)
      }
    } else if let token = IssuedToken(.access, text) {
      let digest = try token.digest()
      _ = try await storage.transaction { rows throws(StorageError) in
        try rows.change("DELETE FROM luna.access WHERE digest = $1", [.bytes(digest)])
      }
    }
  }

  /// Signs in nobody in particular.
  ///
  /// - Returns: nil when there are accounts: then somebody has to be it.
  func signInToDemo(client: String, at time: Timestamp) async throws(StorageError) -> IssuedTokens?
  {
    let fresh = try NewFamily(at: time)
    return try await storage.transaction { rows throws(StorageError) in
      guard try rows.row("SELECT name FROM luna.accounts LIMIT 1") == nil else { return nil }
      return try fresh.keep(for: .demo, by: nil, client: client, from: nil, rows)
    }
  }

  /// Keeps an access token.
  static func keep(
    _ digest: [UInt8], of family: String, generation: Int64, at time: Timestamp,
    _ rows: any StorageTransaction
  ) throws(StorageError) {
    try rows.change(
      "INSERT INTO luna.access(digest, family, generation, expires) VALUES($1, $2, $3, $4)",
      [
        .bytes(digest), .text(family), .integer(generation),
        .integer(time.microseconds + IssuedTokens.accessSeconds * 1_000_000),
      ])
  }

  static func end(
    _ family: String, at time: Timestamp, _ rows: any StorageTransaction
  ) throws(StorageError) {
    try rows.change("DELETE FROM luna.access WHERE family = $1", [.text(family)])
    try rows.change(
      "UPDATE luna.refresh SET ended = $2 WHERE family = $1",
      [.text(family), .integer(time.microseconds)])
  }
}
