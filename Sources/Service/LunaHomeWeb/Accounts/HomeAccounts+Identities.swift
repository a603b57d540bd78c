import Bluetooth
import LunaCore
import LunaStore
import SQLite

// What accounts are called by an issuer.

extension HomeAccounts {
  /// The account of somebody whom an issuer names.
  func account(of issuer: String, _ subject: String) async throws -> HomeAccount? {
    let name = try await store.read { database throws(DeviceStoreError) in
      try database.rows(
        "SELECT account FROM identities WHERE issuer = ?1 AND subject = ?2",
        [.text(issuer), .text(subject)]
      ) { $0.text(0) }.first
    }
    guard let name else { return nil }
    return try await account(name)
  }

  /// Whether an account is connected with an issuer.
  func isConnected(_ name: String, with issuer: String) async throws(DeviceStoreError) -> Bool {
    try await store.read { database throws(DeviceStoreError) in
      try !database.rows(
        "SELECT 1 FROM identities WHERE account = ?1 AND issuer = ?2", [.text(name), .text(issuer)]
      ) { _ in true }.isEmpty
    }
  }

  /// Connects an account with somebody whom an issuer names; before, it may have been another one.
  ///
  /// - Returns: false where that one has another account, or there is no such account any more.
  func connect(
    _ name: String, with issuer: String, _ subject: String, at time: Timestamp
  ) async throws(DeviceStoreError) -> Bool {
    try await store.transaction { database throws(DeviceStoreError) in
      try database.change(
        "DELETE FROM identities WHERE account = ?1 AND issuer = ?2", [.text(name), .text(issuer)])
      return try database.change(
        """
        INSERT OR IGNORE INTO identities(issuer, subject, account, created)
        SELECT ?1, ?2, name, ?4 FROM accounts WHERE name = ?3
        """,
        [.text(issuer), .text(subject), .text(name), .integer(time.microseconds)]) > 0
    }
  }

  /// Ends that.
  func disconnect(_ name: String) async throws(DeviceStoreError) {
    _ = try await store.transaction { database throws(DeviceStoreError) in
      try database.change("DELETE FROM identities WHERE account = ?1", [.text(name)])
    }
  }
}
