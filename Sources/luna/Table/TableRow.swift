/// An advertiser as the live table shows it.
struct TableRow: Sendable, Equatable, Identifiable {
  /// One line of the details.
  struct Detail: Sendable, Equatable {
    /// What the value is, such as `manufacturer data`.
    var label: String
    var value: String
  }

  /// A number that stays with the advertiser; the earlier it appeared the lower, which decides
  /// between rows that are otherwise equal.
  var id: UInt64
  /// What it is: a beacon or tracker family, a kind of device.
  var kind = ""
  /// Whether a tracker was recognised; those come first.
  var isTracker = false
  /// What it calls itself; shown without control characters.
  var name: String?
  /// Empty for an anonymous advertiser.
  var address = ""
  /// What kind of address it is, such as `random static`.
  var addressDetail = ""
  /// The last one, in dBm.
  var rssi: Int?
  /// The last ones in dBm, the newest at the end.
  var rssiHistory: [Int8] = []
  /// How many advertisements there were.
  var packets = 0
  /// Advertisements per second.
  var rate = 0.0
  /// What stands in the column that a command uses as it likes.
  var extra = ""
  /// How many seconds ago the last one was; infinite where there was none.
  var lastSeen = 0.0
  /// Whether it passes the expression that was asked for.
  var passes = true
  /// What the details pane shows; needed for the selected row only.
  var details: [Detail] = []
}
