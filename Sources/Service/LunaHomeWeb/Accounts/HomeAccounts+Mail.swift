import Bluetooth
import LunaCore
import LunaStore
import SQLite
import WebAccess

// The addresses of mail to which accounts get links.

extension HomeAccounts {
  /// The address of an account that its owner has shown to have; nil for none.
  func address(of name: String) async throws(DeviceStoreError) -> String? {
    try await store.read { database throws(DeviceStoreError) in
      try database.rows(
        "SELECT email FROM accounts WHERE name = ?1 AND email IS NOT NULL", [.text(name)]
      ) { $0.text(0) }.first
    }
  }

  /// Makes the link with which somebody shows that an address is theirs.
  func propose(address: String, for name: String, at time: Timestamp) async throws -> RandomSecret {
    try await keepingLink(.verify, name, at: time) { database throws(DeviceStoreError) in
      try database.change(
        "UPDATE accounts SET email_pending = ?2 WHERE name = ?1", [.text(name), .text(address)])
        > 0 ? nil : .unknown
    }
  }

  /// Uses up such a link: the address counts from now on.
  ///
  /// - Returns: whether it was a good one.
  func verify(_ secret: RandomSecret, at time: Timestamp) async throws -> Bool {
    let digest = try secret.digest()
    return try await store.transaction { database throws(DeviceStoreError) in
      guard let name = try HomeAccounts.holder(digest, .verify, at: time, database) else {
        return false
      }
      try database.change("DELETE FROM links WHERE digest = ?1", [.bytes(digest)])
      return try database.change(
        """
        UPDATE accounts SET email = email_pending, email_pending = NULL
        WHERE name = ?1 AND email_pending IS NOT NULL
        """, [.text(name)]) > 0
    }
  }

  /// Forgets the address of an account.
  func removeAddress(of name: String) async throws(DeviceStoreError) {
    _ = try await store.transaction { database throws(DeviceStoreError) in
      try database.change(
        "UPDATE accounts SET email = NULL, email_pending = NULL WHERE name = ?1", [.text(name)])
    }
  }
}
