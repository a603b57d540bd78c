import Bluetooth
import LunaCore
import LunaCrypto
import LunaStore
import SQLite
import WebAccess

extension HomeAccounts {
  /// What a second factor is checked against.
  private struct Factor: Sendable {
    let secret: [UInt8]
    let step: Int64
    let recovery: [UInt8]
  }

  /// Begins to set up a second factor.
  func propose(_ code: OneTimeCode, for name: String) async throws {
    let count = try await store.transaction { database throws(DeviceStoreError) in
      try database.change(
        "UPDATE accounts SET totp_pending = ?2 WHERE name = ?1 AND totp IS NULL",
        [.text(name), .bytes(code.secret)])
    }
    guard count > 0 else { throw HomeAccountRefusal.secondFactor }
  }

  /// Turns the second factor on with the first code.
  ///
  /// - Returns: false when the code is wrong.
  func confirm(
    _ text: String, for name: String, recovery: [UInt8], at time: Timestamp
  ) async throws -> Bool {
    let pending = try await store.read { database throws(DeviceStoreError) in
      try database.rows(
        "SELECT totp_pending FROM accounts WHERE name = ?1 AND totp IS NULL", [.text(name)]
      ) { $0.isNull(0) ? nil : $0.bytes(0) }.first
    }
    guard let pending else { throw HomeAccountRefusal.secondFactor }
    guard let step = try OneTimeCode(secret: pending).step(of: text, at: time, after: 0) else {
      return false
    }
    return try await store.transaction { database throws(DeviceStoreError) in
      try database.change(
        """
        UPDATE accounts SET totp = totp_pending, totp_pending = NULL, totp_step = ?2, recovery = ?3
        WHERE name = ?1 AND totp_pending = ?4
        """, [.text(name), .integer(step), .bytes(recovery), .bytes(pending)]) > 0
    }
  }

  /// Turns the second factor off.
  func removeSecondFactor(_ name: String) async throws(DeviceStoreError) {
    _ = try await store.transaction { database throws(DeviceStoreError) in
      try database.change(
        "UPDATE accounts SET totp = NULL, totp_pending = NULL, recovery = NULL WHERE name = ?1",
        [.text(name)])
    }
  }

  /// Uses up a code, or a recovery code, of an account.
  ///
  /// - Returns: whether it was one.
  func use(_ text: String, of name: String, at time: Timestamp) async throws -> Bool {
    let factor = try await store.read { database throws(DeviceStoreError) in
      try database.rows(
        "SELECT totp, totp_step, recovery FROM accounts WHERE name = ?1 AND totp IS NOT NULL",
        [.text(name)]
      ) { Factor(secret: $0.bytes(0), step: $0.integer(1), recovery: $0.bytes(2)) }.first
    }
    guard let factor else { return false }
    // Two at once with one code: only the first finds what it has read.
    if let step = try OneTimeCode(secret: factor.secret)
      .step(of: text, at: time, after: factor.step)
    {
      return try await store.transaction { database throws(DeviceStoreError) in
        try database.change(
          "UPDATE accounts SET totp_step = ?2 WHERE name = ?1 AND totp_step < ?2",
          [.text(name), .integer(step)]) > 0
      }
    }
    guard let left = try RecoveryCode.redeem(text, of: factor.recovery) else { return false }
    return try await store.transaction { database throws(DeviceStoreError) in
      try database.change(
        "UPDATE accounts SET recovery = ?2 WHERE name = ?1 AND recovery = ?3",
        [.text(name), .bytes(left), .bytes(factor.recovery)]) > 0
    }
  }
}
