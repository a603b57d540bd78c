import Bluetooth
import LunaCore
import LunaStore
import SQLite

// The passkeys of accounts.

extension HomeAccounts {
  /// So many an account may have.
  private static let mostPasskeys: Int64 = 20
  private static let passkeyColumns = "id, account, key, count, name, created"

  private static func passkey(_ row: borrowing Statement<DeviceStoreError>) -> Passkey? {
    PasskeyKey(prefixOf: row.bytes(2)).map {
      Passkey(
        id: row.bytes(0), account: row.text(1), key: $0, count: row.integer(3),
        name: row.text(4), createdAt: Timestamp(microseconds: row.integer(5)))
    }
  }

  /// Those of an account, the oldest first.
  func passkeys(of account: String) async throws(DeviceStoreError) -> [Passkey] {
    try await store.read { database throws(DeviceStoreError) in
      try database.rows(
        """
        SELECT \(HomeAccounts.passkeyColumns) FROM passkeys WHERE account = ?1
        ORDER BY created, id
        """, [.text(account)], HomeAccounts.passkey)
    }
  }

  /// The one that an authenticator calls so.
  func passkey(_ id: [UInt8]) async throws(DeviceStoreError) -> Passkey? {
    try await store.read { database throws(DeviceStoreError) in
      try database.rows(
        "SELECT \(HomeAccounts.passkeyColumns) FROM passkeys WHERE id = ?1", [.bytes(id)],
        HomeAccounts.passkey
      ).first
    }
  }

  /// Whether anybody has one.
  func hasPasskeys() async throws(DeviceStoreError) -> Bool {
    try await store.read { database throws(DeviceStoreError) in
      try !database.rows("SELECT 1 FROM passkeys LIMIT 1") { _ in true }.isEmpty
    }
  }

  /// Keeps a new one.
  ///
  /// - Returns: false where it is there already, or its account has too many.
  func add(_ passkey: Passkey) async throws(DeviceStoreError) -> Bool {
    try await store.transaction { database throws(DeviceStoreError) in
      try database.change(
        """
        INSERT OR IGNORE INTO passkeys(\(HomeAccounts.passkeyColumns))
        SELECT ?1, ?2, ?3, ?4, ?5, ?6
        WHERE (SELECT count(*) FROM passkeys WHERE account = ?2) < \(HomeAccounts.mostPasskeys)
        """,
        [
          .bytes(passkey.id), .text(passkey.account), .bytes(passkey.key.bytes),
          .integer(passkey.count), .text(passkey.name), .integer(passkey.createdAt.microseconds),
        ]) > 0
    }
  }

  /// Removes one of an account.
  ///
  /// - Returns: whether it was there.
  func remove(passkey id: [UInt8], of account: String) async throws(DeviceStoreError) -> Bool {
    try await store.transaction { database throws(DeviceStoreError) in
      try database.change(
        "DELETE FROM passkeys WHERE id = ?1 AND account = ?2", [.bytes(id), .text(account)]) > 0
    }
  }

  /// Notes how often one was used.
  ///
  /// - Returns: false where that is not more than before: then there are two of it.
  func use(_ passkey: Passkey, count: Int64) async throws(DeviceStoreError) -> Bool {
    try await store.transaction { database throws(DeviceStoreError) in
      try database.change(
        "UPDATE passkeys SET count = ?2 WHERE id = ?1 AND (count < ?2 OR (count = 0 AND ?2 = 0))",
        [.bytes(passkey.id), .integer(count)]) > 0
    }
  }
}
