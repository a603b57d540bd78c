/// Which files a connection has open. Who deletes or replaces one of them does not stop the connection:
/// it goes on, and all that it writes is gone when it is closed.
struct DatabaseFiles: Sendable {
  private let path: String
  private var main: FileIdentity?
  /// The write-ahead log and its index, once they are there.
  private var companions: [String: FileIdentity] = [:]
  /// Whether there is a log; the mode can change after opening.
  private var isLogged = false
  /// What was missing once stays so: what is put back later is another file's log.
  private var loss: String?

  /// - Parameter isOpen: whether the file at the path is the one that was opened.
  init(path: String, isOpen: Bool) {
    self.path = path
    if isOpen, case .file(let identity) = FileIdentity.place(path) { main = identity }
  }

  /// Finds out what became of the files.
  ///
  /// - Parameter isLogged: asks whether the database has a write-ahead log.
  /// - Returns: what is wrong, for a person; nil when all is in place.
  mutating func check(_ isLogged: () -> Bool) -> String? {
    if let loss { return loss }
    loss = find(isLogged)
    return loss
  }

  /// Whether the database has a log, which it keeps.
  mutating func hasLog(_ asked: () -> Bool) -> Bool {
    if !isLogged { isLogged = asked() }
    return isLogged
  }

  private mutating func find(_ isLogged: () -> Bool) -> String? {
    let isLogged = hasLog(isLogged)
    switch FileIdentity.place(path) {
    case .unknown: break
    case .nothing: return "\(path) was deleted or moved"
    case .file(let identity):
      guard identity == main else { return "\(path) was replaced by another file" }
      // The first page is written before the log begins.
      if isLogged, identity.isEmpty { return "\(path) was emptied" }
    }
    guard isLogged else { return nil }
    for file in [path + "-wal", path + "-shm"] {
      switch FileIdentity.place(file) {
      case .unknown: continue
      case .nothing: return "\(file) was deleted or moved"
      case .file(let identity):
        let known = companions[file] ?? identity
        guard identity == known else { return "\(file) was replaced by another file" }
        companions[file] = identity
      }
    }
    return nil
  }
}
