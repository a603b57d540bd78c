/// How a storage is opened.
public struct StorageSettings: Sendable {
  /// Connections to a database server, or threads that read a file.
  public var connections = 4
  /// How many events may wait to be written before no more are taken.
  public var capacity = 20_000

  /// Four connections, and room for 20,000 events that wait.
  public init() {}
}
