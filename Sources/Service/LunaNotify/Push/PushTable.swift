package import LunaCrypto
package import SQLite

/// The browsers that are told, in the database of a home. Each function works in the transaction that is
/// open, or in one of its own.
package enum PushTable {
  /// A browser.
  package struct Row: Sendable {
    package let id: String
    /// Who has it.
    package let account: String
    /// Whose messages it gets.
    package let contact: String
    package let subscription: PushSubscription
    /// µs since 1970.
    package let created: Int64

    package init(
      id: String, account: String, contact: String, subscription: PushSubscription, created: Int64
    ) {
      (self.id, self.account, self.contact) = (id, account, contact)
      (self.subscription, self.created) = (subscription, created)
    }
  }

  /// Those that are told what a contact is, the oldest first: of accounts that may know it still.
  package static func rows<Failure>(
    contact: String, in database: borrowing Database<Failure>
  ) throws(Failure) -> [Row] {
    try rows(
      "contact = ?1 AND account IN (SELECT name FROM accounts WHERE role <> 'guest')", contact,
      in: database)
  }

  /// Those of an account, the oldest first.
  package static func rows<Failure>(
    account: String, in database: borrowing Database<Failure>
  ) throws(Failure) -> [Row] {
    try rows("account = ?1", account, in: database)
  }

  private static func rows<Failure>(
    _ condition: String, _ name: String, in database: borrowing Database<Failure>
  ) throws(Failure) -> [Row] {
    let select = try database.prepare(
      """
      SELECT id, account, contact, endpoint, key, auth, created FROM browsers
      WHERE \(condition) ORDER BY created, id
      """)
    select.bind(1, name)
    var rows: [Row] = []
    while try select.step() {
      rows.append(
        Row(
          id: select.text(0), account: select.text(1), contact: select.text(2),
          subscription: PushSubscription(
            endpoint: select.text(3), key: select.bytes(4), auth: select.bytes(5)),
          created: select.integer(6)))
    }
    return rows
  }

  /// Has a browser be told; one that was told before gets the messages of this contact from now on.
  package static func add<Failure>(
    _ row: Row, to database: borrowing Database<Failure>
  ) throws(Failure) {
    let insert = try database.prepare(
      """
      INSERT INTO browsers(id, account, contact, endpoint, key, auth, created)
      VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT(endpoint) DO UPDATE SET id = excluded.id,
        account = excluded.account, contact = excluded.contact, key = excluded.key,
        auth = excluded.auth, created = excluded.created
      """)
    insert.bind(1, row.id)
    insert.bind(2, row.account)
    insert.bind(3, row.contact)
    insert.bind(4, row.subscription.endpoint)
    insert.bind(5, row.subscription.key.span)
    insert.bind(6, row.subscription.auth.span)
    insert.bind(7, row.created)
    try insert.run()
  }

  /// Tells a browser no more.
  ///
  /// - Parameter account: only where it is of this account; nil for any.
  /// - Returns: whether it was told.
  @discardableResult
  package static func remove<Failure>(
    _ id: String, of account: String? = nil, in database: borrowing Database<Failure>
  ) throws(Failure) -> Bool {
    let delete = try database.prepare(
      "DELETE FROM browsers WHERE id = ?1 AND (?2 IS NULL OR account = ?2)")
    delete.bind(1, id)
    if let account { delete.bind(2, account) } else { delete.bind(2, nil) }
    try delete.run()
    return database.changes > 0
  }

  /// The number by which push services know this home; `new` from now on where there was none.
  package static func scalar<Failure>(
    orKeep new: SecretBytes, in database: borrowing Database<Failure>
  ) throws(Failure) -> SecretBytes {
    let insert = try database.prepare(
      "INSERT OR IGNORE INTO push_key(only, scalar) VALUES(1, ?1)")
    new.withBytes { insert.bind(1, $0) }
    try insert.run()
    let select = try database.prepare("SELECT scalar FROM push_key")
    guard try select.step() else { return new }
    var bytes = select.bytes(0)
    defer { wipe(&bytes) }
    return SecretBytes(copying: bytes.span)
  }
}
