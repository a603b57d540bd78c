public import LunaJSON

/// All of a home at a moment.
public struct HomeSnapshot: Hashable, Sendable {
  /// The last change that it contains; ``LunaHome/changes(after:)`` goes on from there.
  public let revision: Int64
  /// How the home is called.
  public let name: String
  /// When, µs since 1970.
  public let time: Int64
  /// The trackers, in the order of the file.
  public let trackers: [HomeTracker]
  /// How it listens.
  public let radio: HomeLink
  /// How it stands with the backend; nil where there is none.
  public let backend: HomeLink?
  /// How it stands with the broker; nil where there is none.
  public let broker: HomeLink?
  /// What the last check of the uplink says of the network; nil where there was none in the last 30 days.
  public let uplink: HomeLink?
  /// What a person should know, such as a full disk or a file that cannot be used.
  public let notices: [HomeNotice]

  /// It as JSON.
  public var json: JSONValue {
    [
      "revision": .integer(revision), "name": .string(name), "time": HomeTime.json(time),
      "trackers": .array(trackers.map(\.json)), "radio": radio.json,
      "backend": backend?.json ?? .null, "broker": broker?.json ?? .null,
      "uplink": uplink?.json ?? .null,
      "notices": .array(notices.map(\.json)),
    ]
  }
}
