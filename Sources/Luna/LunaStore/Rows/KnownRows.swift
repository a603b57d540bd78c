import LunaProtocol

/// Which row each device has, for as long as nobody has written anything else into the database.
struct KnownRows {
  /// What other connections have written (`PRAGMA data_version`).
  let version: Int64
  /// How many rows this connection has changed.
  var changes: Int64
  let rows: [DeviceUUID: Int64]
}
