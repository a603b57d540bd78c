package import Bluetooth
import Diagnosis
package import LunaCore
import LunaStore
import SQLite
import WebAccess

extension HomeAccounts {
  /// A program that may use a home.
  package struct Token: Hashable, Sendable {
    /// Who holds it.
    package let name: String
    /// What it may do.
    package let role: HomeRole
    /// When it was made.
    package let createdAt: Timestamp
  }

  private static let prefix = "luna-home-"

  /// Makes a token.
  ///
  /// - Returns: its text, which is kept nowhere.
  package func addToken(_ name: String, _ role: HomeRole, at time: Timestamp) async throws -> String
  {
    let secret = try RandomSecret()
    let digest = try secret.digest()
    let count = try await store.transaction { database throws(DeviceStoreError) in
      try database.change(
        "INSERT OR IGNORE INTO tokens(name, digest, role, created) VALUES(?1, ?2, ?3, ?4)",
        [.text(name), .bytes(digest), .text(role.rawValue), .integer(time.microseconds)])
    }
    guard count > 0 else { throw HomeAccountRefusal.nameTaken }
    return HomeAccounts.prefix + secret.text
  }

  /// All tokens, by name.
  package func tokens() async throws(DeviceStoreError) -> [Token] {
    try await store.read { database throws(DeviceStoreError) in
      try database.rows(
        "SELECT name, role, created FROM tokens ORDER BY name", [], HomeAccounts.token)
    }
  }

  private static func token(_ row: borrowing Statement<DeviceStoreError>) -> Token? {
    HomeRole(rawValue: row.text(1)).map {
      Token(name: row.text(0), role: $0, createdAt: Timestamp(microseconds: row.integer(2)))
    }
  }

  /// The token with a text; nil for none.
  func token(_ text: String) async throws -> Token? {
    guard text.hasPrefix(HomeAccounts.prefix),
      let secret = RandomSecret(String(text.dropFirst(HomeAccounts.prefix.count)))
    else { return nil }
    let digest = try secret.digest()
    return try await store.read { database throws(DeviceStoreError) in
      try database.rows(
        "SELECT name, role, created FROM tokens WHERE digest = ?1", [.bytes(digest)],
        HomeAccounts.token
      ).first
    }
  }

  /// Ends a token.
  package func revokeToken(_ name: String) async throws {
    let count = try await store.transaction { database throws(DeviceStoreError) in
      try database.change("DELETE FROM tokens WHERE name = ?1", [.text(name)])
    }
    guard count > 0 else { throw HomeAccountRefusal.unknown }
  }
}
