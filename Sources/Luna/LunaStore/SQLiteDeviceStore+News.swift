public import LunaCore
import SQLite

extension SQLiteDeviceStore {
  /// How often is asked whether another process has written. That is one number, which changes with every
  /// such write (`PRAGMA data_version`); the file itself tells nobody.
  static let newsInterval = Duration.seconds(5)

  /// Rings a bell after devices were added: at once when that was done here, and within 5 s when it was
  /// another process. Then it may also ring because of something else in the file.
  public func tell(_ bell: Bell) {
    rope.add(bell)
    guard newsWatch == nil else { return }
    dataVersion = try? database.integer("PRAGMA data_version")
    newsWatch = Task { [weak self] in
      repeat {
        try? await Task.sleep(for: SQLiteDeviceStore.newsInterval)
      } while await self?.lookForNews() == true
    }
  }

  /// - Returns: whether anybody still wants to know.
  private func lookForNews() -> Bool {
    guard !rope.isFree else {
      newsWatch = nil
      return false
    }
    if let version = try? database.integer("PRAGMA data_version"), version != dataVersion {
      dataVersion = version
      rope.pull()
    }
    return true
  }
}
