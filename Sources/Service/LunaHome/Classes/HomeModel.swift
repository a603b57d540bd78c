/// A model of the file, as classes of devices learn of it.
public struct HomeModel: Hashable, Sendable {
  /// Its `oemModel`.
  public let name: String
  /// The `class` of its devices.
  public let className: String
  /// The names of its managed properties, in the order of the file.
  public let properties: [String]
}
