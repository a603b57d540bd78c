/// A transaction that is done once, also where the connection is lost after its end was asked for: then it is looked up
/// whether it was kept, and done again only where it was not (SCALE.md, 3.2).
struct OnceKept<Output> {
  /// What the attempt has made of whose end nothing was heard.
  private var unheard: Output?

  /// Whether it may have been kept, and nobody knows.
  var isUnheard: Bool { unheard != nil }

  /// Does it, or looks up the attempt before.
  ///
  /// - Parameters:
  ///   - wasKept: whether that one was kept. What it says is so from then on.
  ///   - body: all but the end. It fails where nothing of it will be kept.
  ///   - commit: the end.
  ///   - isAnswered: whether it was the server that has said that `commit` failed.
  /// - Returns: what the attempt has made that was kept.
  mutating func attempt(
    wasKept: () throws(StorageError) -> Bool, body: () throws(StorageError) -> Output,
    commit: () throws(StorageError) -> Void, isAnswered: () -> Bool
  ) throws(StorageError) -> Output {
    if let unheard, try wasKept() { return unheard }
    unheard = nil
    let output = try body()
    unheard = output
    do throws(StorageError) {
      try commit()
    } catch {
      if isAnswered() { unheard = nil }
      throw error
    }
    return output
  }
}
