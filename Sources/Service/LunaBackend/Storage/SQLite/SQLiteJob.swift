/// One thing to write.
protocol SQLiteJob: AnyObject, Sendable {
  /// Does it, inside of a transaction; perhaps a second time, after the first was taken back.
  func run(_ connection: SQLiteConnection) throws(StorageError)
  /// Tells who waits for it how it ended.
  func finish(_ failure: StorageError?)
}
