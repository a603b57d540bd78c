import LunaDocuments

extension ReportSelection {
  /// The options of `luna scan` that leave something out.
  var options: [String] {
    var options: [String] = []
    if filter != nil { options.append("--filter") }
    if minimumRSSI != nil { options.append("--min-rssi") }
    if trackersOnly { options.append("--trackers") }
    return options
  }
}
