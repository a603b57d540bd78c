import Bluetooth
import LunaAccount
import WebAccess

extension AccountStore {
  /// Keeps an attempt while its browser is away.
  ///
  /// - Parameter cookie: what the browser is known by.
  /// - Returns: false where too many are away.
  func keep(
    _ attempt: SignInAttempt, of cookie: RandomSecret, at time: Timestamp
  ) async throws(StorageError) -> Bool {
    let (cookie, state) = (
      try StorageError.unless(cookie.digest()),
      try StorageError.unless(SecretDigest.of(attempt.secrets.state))
    )
    let end = time.advanced(by: SignInAttempt.patience).microseconds
    return try await storage.transaction { work throws(StorageError) in
      try work.change(
        "DELETE FROM luna.attempts WHERE expires <= $1", [.integer(time.microseconds)])
      let all = try work.row("SELECT count(*) FROM luna.attempts")
      guard all?.integer(0) ?? 0 < SignInAttempt.limitOfAll else { return false }
      try work.change(
        """
        DELETE FROM luna.attempts WHERE cookie = $1 AND state NOT IN (
          SELECT state FROM luna.attempts WHERE cookie = $1 ORDER BY expires DESC, state LIMIT $2)
        """, [.bytes(cookie), .integer(SignInAttempt.limit - 1)])
      try work.change(
        """
        INSERT INTO luna.attempts(cookie, state, issuer, nonce, verifier, next, expires)
        VALUES($1, $2, $3, $4, $5, $6, $7)
        """,
        [
          .bytes(cookie), .bytes(state), .text(attempt.issuer), .text(attempt.secrets.nonce),
          .text(attempt.secrets.verifier), .text(attempt.next.path), .integer(end),
        ])
      return true
    }
  }

  /// The attempt that a browser comes back from. It is good for this once.
  func takeAttempt(
    _ state: String, of cookie: RandomSecret, at time: Timestamp
  ) async throws(StorageError) -> SignInAttempt? {
    let key: [StorageValue] = [
      .bytes(try StorageError.unless(cookie.digest())),
      .bytes(try StorageError.unless(SecretDigest.of(state))),
    ]
    return try await storage.transaction { work throws(StorageError) in
      let row = try work.row(
        """
        SELECT issuer, nonce, verifier, next FROM luna.attempts
        WHERE cookie = $1 AND state = $2 AND expires > $3
        """, key + [.integer(time.microseconds)])
      guard let row else { return nil }
      try work.change("DELETE FROM luna.attempts WHERE cookie = $1 AND state = $2", key)
      return SignInAttempt(
        issuer: row.text(0),
        secrets: WebSignIn.Attempt(state: state, nonce: row.text(1), verifier: row.text(2)),
        next: ConsolePath(row.text(3)) ?? .start)
    }
  }
}
