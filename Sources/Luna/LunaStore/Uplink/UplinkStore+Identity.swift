package import LunaCore
import SQLite

extension UplinkStore {
  /// Who makes the checks, made up when it is asked for the first time.
  package func identity() throws(DeviceStoreError) -> UplinkIdentity {
    if let identity = try storedIdentity() { return identity }
    return try countTests(0)
  }

  /// Counts tests that are about to begin: one for a check, two for a localization. Their number is on the
  /// disk when this returns: none is given twice, whatever becomes of the test.
  ///
  /// - Parameter start: from where on is counted, where that is more than there were.
  /// - Returns: who makes them, with the count after it.
  @discardableResult
  package func countTests(
    _ number: Int64, from start: Int64 = .min
  ) throws(DeviceStoreError) -> UplinkIdentity {
    try database.transaction { () throws(DeviceStoreError) -> UplinkIdentity in
      let insert = try database.prepare("INSERT OR IGNORE INTO identity VALUES(1, ?1, 0)")
      insert.bind(1, UplinkIdentity.makeUser())
      try insert.run()
      let update = try database.prepare("UPDATE identity SET history = max(history, ?2) + ?1")
      update.bind(1, number)
      update.bind(2, start)
      try update.run()
      guard let identity = try storedIdentity() else {
        throw .damaged(database.path, "who makes the checks is missing")
      }
      return identity
    }
  }

  private func storedIdentity() throws(DeviceStoreError) -> UplinkIdentity? {
    let row = try database.prepare("SELECT user, history FROM identity")
    guard try row.step() else { return nil }
    let identity = UplinkIdentity(user: row.text(0), history: row.integer(1))
    guard UplinkIdentity.isUser(identity.user), identity.history >= 0 else {
      throw .damaged(database.path, "who makes the checks is not what this program wrote")
    }
    return identity
  }
}
