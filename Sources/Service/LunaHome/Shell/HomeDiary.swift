/// What of the inputs is kept for a day to be judged again: frames and repeated values not each, since
/// there are many and rules hardly ask.
struct HomeDiary {
  /// Frames of a tracker are kept so often, µs: twice within the time that makes it present.
  private static let frameEvery: Int64 = 10_000_000
  private static let valueEvery: Int64 = 3_600_000_000

  private var frames: [String: Int64] = [:]
  private var values: [String: (value: PropertyValue, at: Int64)] = [:]

  /// An input as it is kept; nil for one that is not.
  mutating func line(_ input: HomeInput, at now: Moment) -> String? {
    switch input {
    case .frame(let tracker, let rssi, let adapter):
      if let last = frames[tracker], now.boot - last < HomeDiary.frameEvery { return nil }
      frames[tracker] = now.boot
      // The short form of those of which there are many.
      return "\(rssi) \(adapter) \(tracker)"
    case .value(let tracker, let property, let value):
      let key = "\(tracker) \(property)"
      // Frames say when a tracker was heard.
      let isKnown = property == "lastSeen" || values[key]?.value == value
      if let last = values[key], isKnown, now.boot - last.at < HomeDiary.valueEvery { return nil }
      values[key] = (value, now.boot)
      return input.line(at: now.wall)
    default: return input.line(at: now.wall)
    }
  }

  /// What was kept, as a line of a day.
  static func expanded(_ line: String, at wall: Int64) -> String? {
    if line.hasPrefix("{") { return line }
    let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let rssi = Int(parts[0]) else { return nil }
    return HomeInput.frame(tracker: String(parts[2]), rssi: rssi, adapter: String(parts[1]))
      .line(at: wall)
  }
}
