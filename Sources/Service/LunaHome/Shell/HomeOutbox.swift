package import LunaCore
package import LunaStore

/// Brings messages to people: `notify` and `webhook` of rules. What it keeps is kept in the same
/// transaction as the firing, so that a message is neither lost nor sent without its firing.
package protocol HomeOutbox: Sendable {
  /// Keeps messages to be sent.
  func add(
    _ messages: [HomeMessage], to database: borrowing HomeDatabase
  ) throws(DeviceStoreError)

  /// Keeps a file to be mailed over the first channel that can; one of the same id stays as it is.
  func add(_ mail: HomeMail, to database: borrowing HomeDatabase) throws(DeviceStoreError)

  /// There are new ones, and what was written is on the disk.
  func wake()

  /// Other channels, contacts and templates hold.
  func reload(_ settings: NotificationSettings)

  /// Sends again what was put aside.
  ///
  /// - Returns: whether there is such a message.
  func retry(_ id: Int64) async throws -> Bool

  /// The home ends: what is under way may come to its end, for a few seconds.
  func stop() async
}
