import Bluetooth

/// A group of advertisers, as a line.
package enum AdvertiserGroupDocument {
  /// The first line of comma-separated values.
  package static func appendHead(to output: OutputBuffer) {
    output.append("by,value,advertisers,count,firstSeenAt,lastSeenAt\n")
  }

  package static func appendJSON(
    _ group: AdvertiserGroups.Group, by key: AdvertiserGroups.Key, _ timeText: inout TimeText,
    to output: OutputBuffer
  ) {
    var writer = JSONFieldWriter("group", in: output)
    writer.string("by", key.rawValue)
    if let value = group.value { writer.string("value", value) } else { writer.null("value") }
    writer.integer("advertisers", Int64(group.advertisers))
    writer.integer("count", Int64(clamping: group.count))
    if group.firstTime != .unknown {
      writer.string("firstSeenAt", timeText.string(group.firstTime))
      writer.string("lastSeenAt", timeText.string(group.lastTime))
    }
    writer.endLine()
  }

  package static func appendCSV(
    _ group: AdvertiserGroups.Group, by key: AdvertiserGroups.Key, _ timeText: inout TimeText,
    to output: OutputBuffer
  ) {
    func text(_ time: Timestamp) -> String { time == .unknown ? "" : timeText.string(time) }
    CSVLine.append(
      [
        key.rawValue, group.value ?? "", String(group.advertisers), String(group.count),
        text(group.firstTime), text(group.lastTime),
      ], to: output)
  }
}
