public import LunaCore
public import LunaCrypto
import SQLite

extension SQLiteDeviceStore {
  private static let contactKeyLabel = Array("luna/store/1/contact".utf8)

  /// The private key and the name of one's own contact card; nil before there is one. It is sealed as
  /// the keys of devices are.
  public func contactKey() throws(DeviceStoreError) -> (key: SecretBytes, name: String)? {
    try database.snapshot {
      () throws(DeviceStoreError) -> (key: SecretBytes, name: String)? in
      // Without a card nobody needs the passphrase.
      guard try database.integer("SELECT count(*) FROM contact_key") > 0 else { return nil }
      return try readContactKey(openingWith: try currentKey())
    }
  }

  /// Takes a key for one's own card, in place of that which was there.
  public func putContactKey(_ key: SecretBytes, name: String) throws(DeviceStoreError) {
    try database.transaction { () throws(DeviceStoreError) in
      try write((key, name), sealingWith: try currentKey())
    }
  }

  /// Takes a name for one's own card, and a key where there is none yet: who make one at once get the same.
  ///
  /// - Returns: the key that the card has.
  package func keepContactKey(
    _ key: SecretBytes, name: String
  ) throws(DeviceStoreError) -> SecretBytes {
    try database.transaction { () throws(DeviceStoreError) -> SecretBytes in
      let seal = try currentKey()
      let kept = try readContactKey(openingWith: seal)?.key ?? key
      try write((kept, name), sealingWith: seal)
      return kept
    }
  }

  func readContactKey(
    openingWith key: SecretBytes?
  ) throws(DeviceStoreError) -> (key: SecretBytes, name: String)? {
    let statement = try database.prepare("SELECT key, name FROM contact_key")
    guard try statement.step() else { return nil }
    let (stored, name) = (statement.bytes(0), statement.text(1))
    let bytes: [UInt8]?
    do throws(CryptoError) {
      bytes = try StoredKeys.open(stored, context: Self.contactKeyLabel, under: key)
    } catch {
      throw DeviceStoreError(error)
    }
    guard var bytes, bytes.count == 32 else {
      throw .damaged(database.path, "the key of the contact card cannot be read")
    }
    defer { wipe(&bytes) }
    return (SecretBytes(copying: bytes.span), name)
  }

  /// Part of a transaction.
  func write(
    _ card: (key: SecretBytes, name: String)?, sealingWith key: SecretBytes?
  ) throws(DeviceStoreError) {
    guard let card else { return }
    var bytes = card.key.withBytes { bytes in bytes.indices.map { bytes[$0] } }
    defer { wipe(&bytes) }
    let stored: [UInt8]
    do throws(CryptoError) {
      stored = try StoredKeys.protect(bytes, context: Self.contactKeyLabel, under: key)
    } catch {
      throw DeviceStoreError(error)
    }
    let statement = try database.prepare("REPLACE INTO contact_key VALUES(1, ?1, ?2)")
    statement.bind(1, stored.span)
    statement.bind(2, card.name)
    try statement.run()
  }

  /// The contacts, by name.
  public func contacts() throws(DeviceStoreError) -> [ContactRow] {
    let statement = try database.prepare(
      "SELECT name, email, key, verified, added FROM contacts ORDER BY name")
    var rows: [ContactRow] = []
    while try statement.step() {
      rows.append(
        ContactRow(
          name: statement.text(0), email: statement.text(1), key: statement.bytes(2),
          isVerified: statement.integer(3) != 0, addedAt: Self.bounded(statement.integer(4))))
    }
    return rows
  }

  /// Adds a contact, or replaces that of its name.
  public func put(_ contact: ContactRow) throws(DeviceStoreError) {
    let statement = try database.prepare("REPLACE INTO contacts VALUES(?1, ?2, ?3, ?4, ?5)")
    Self.bind(contact, to: statement)
    try statement.run()
  }

  /// Adds a contact.
  ///
  /// - Returns: false when somebody has the name or the card, who stays then.
  package func add(_ contact: ContactRow) throws(DeviceStoreError) -> Bool {
    let statement = try database.prepare(
      "INSERT OR IGNORE INTO contacts VALUES(?1, ?2, ?3, ?4, ?5)")
    Self.bind(contact, to: statement)
    try statement.run()
    return database.changes > 0
  }

  private static func bind(_ contact: ContactRow, to statement: borrowing Statement) {
    statement.bind(1, contact.name)
    statement.bind(2, contact.email)
    statement.bind(3, contact.key.span)
    statement.bind(4, contact.isVerified ? 1 : 0)
    statement.bind(5, contact.addedAt)
  }

  /// Removes a contact. What was shared stays as it is.
  ///
  /// - Returns: false when there is none of that name.
  public func removeContact(_ name: String) throws(DeviceStoreError) -> Bool {
    let statement = try database.prepare("DELETE FROM contacts WHERE name = ?1")
    statement.bind(1, name)
    try statement.run()
    return database.changes > 0
  }
}
