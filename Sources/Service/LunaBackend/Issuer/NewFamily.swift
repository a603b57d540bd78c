import Bluetooth

/// The first tokens of a sign-in, made before it is known whose they are to be.
struct NewFamily: Sendable {
  let name: String
  private let refresh: IssuedToken
  private let access: IssuedToken
  private let refreshDigest: [UInt8]
  private let accessDigest: [UInt8]
  private let time: Timestamp

  init(at time: Timestamp) throws(StorageError) {
    self.time = time
    name = try IssuedToken.newFamily()
    refresh = try IssuedToken(.refresh, family: name)
    access = try IssuedToken(.access)
    refreshDigest = try refresh.digest()
    accessDigest = try access.digest()
  }

  /// Keeps them.
  ///
  /// - Parameters:
  ///   - approver: the account that has approved it, where it is one.
  ///   - address: where the program calls from.
  func keep(
    for holder: IssuedHolder, by approver: String?, client: String, from address: String?,
    _ rows: any StorageTransaction
  ) throws(StorageError) -> IssuedTokens {
    let first = RefreshFamily(first: refreshDigest)
    let end = time.microseconds + holder.scope.days * 86_400_000_000
    try rows.change(
      """
      INSERT INTO luna.refresh(family, kind, holder, account, approver, client, scope, address, created, seen,
        expires, generation, current, previous, is_current_used)
      VALUES($1, $2, $3, $4, $12, $5, $6, $7, $8, $8, $9, $10, $11, NULL, 0)
      """,
      [
        .text(name), .text(holder.kind), .text(holder.name), .text(holder.account), .text(client),
        .text(holder.scope.text), .text(address), .integer(time.microseconds), .integer(end),
        .integer(first.generation), .bytes(first.current), .text(approver),
      ])
    try OwnIssuer.keep(accessDigest, of: name, generation: first.generation, at: time, rows)
    return IssuedTokens(access: access, refresh: refresh, holder: holder)
  }
}
