import Bluetooth
import LunaCore
import LunaJSON
import LunaWire
import SQLite

/// Confirmations, one after the other.
extension QueueConnection {
  func append(
    _ confirmation: CommandConfirmation, at time: Timestamp
  ) throws(DeviceStoreError) {
    try write { (database: borrowing Database) throws(DeviceStoreError) in
      let statement = try database.prepare("INSERT INTO confirmations(body, time) VALUES(?1, ?2)")
      statement.bind(1, confirmation.json.description)
      statement.bind(2, time.microseconds)
      try statement.run()
    }
  }

  func nextConfirmation() throws(DeviceStoreError) -> QueuedConfirmation? {
    while true {
      let (id, body) = try oldestConfirmation()
      guard let id else { return nil }
      if let value = try? JSONReader.read(Array(body.utf8)),
        let confirmation = try? CommandConfirmation(json: value)
      {
        return QueuedConfirmation(id: id, confirmation: confirmation)
      }
      // Written by another version: nobody can read it.
      try settleConfirmation(id, refusal: "unreadableConfirmation")
    }
  }

  private func oldestConfirmation() throws(DeviceStoreError) -> (Int64?, String) {
    try reading { file throws(DeviceStoreError) in
      let statement = try file.database.prepare(
        "SELECT id, body FROM confirmations ORDER BY id LIMIT 1")
      guard try statement.step() else { return (nil, "") }
      return (statement.integer(0), statement.text(1))
    }
  }

  func settleConfirmation(_ id: Int64, refusal: String?) throws(DeviceStoreError) {
    try write { (database: borrowing Database) throws(DeviceStoreError) in
      try database.execute("DELETE FROM confirmations WHERE id = \(id)")
      if let refusal { try QueueLosses.add(LossCount(1), to: refusal, in: database) }
    }
  }
}
