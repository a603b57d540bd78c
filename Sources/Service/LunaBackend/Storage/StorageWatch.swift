/// Hears of changes in a storage until it is ended.
public protocol StorageWatch: Sendable {
  /// Nothing is told any more, but for what is being told just now.
  func end()
}
