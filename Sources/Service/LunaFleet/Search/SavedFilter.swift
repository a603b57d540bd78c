public import LunaJSON

/// A search that somebody has kept under a name.
public struct SavedFilter: Hashable, Sendable {
  /// What it is called.
  public let name: String
  /// The search, in the words of ``FleetSearch``.
  public let search: String
  /// Whether everybody sees it.
  public let isShared: Bool

  /// The search as JSON.
  public var json: JSONObject {
    ["name": .string(name), "q": .string(search), "shared": .bool(isShared)]
  }
}
