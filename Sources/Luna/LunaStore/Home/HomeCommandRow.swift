/// Something that somebody has asked a tracker for, and how far it is.
public struct HomeCommandRow: Hashable, Sendable {
  /// What requests call it.
  public let id: String
  /// The id of the tracker in the file of the home.
  public let tracker: String
  /// What was asked for.
  public let action: String
  /// With what value, as JSON; nil for none.
  public let value: String?
  /// How far it is, in the word of the API.
  public var state: String
  /// When it was asked for, µs since 1970.
  public let time: Int64
  /// When that became so, µs since 1970.
  public var changed: Int64
  /// Why it failed, or what came of it.
  public var detail: String

  /// A command; `time` and `changed` are in µs since 1970, `value` is JSON text.
  public init(
    id: String, tracker: String, action: String, value: String?, state: String, time: Int64,
    changed: Int64, detail: String = ""
  ) {
    self.id = id
    self.tracker = tracker
    self.action = action
    self.value = value
    self.state = state
    self.time = time
    self.changed = changed
    self.detail = detail
  }
}
