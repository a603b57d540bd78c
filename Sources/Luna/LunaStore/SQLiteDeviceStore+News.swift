public import LunaCore
import SQLite

extension SQLiteDeviceStore {
  /// How often is looked whether another process has written. Where the files show that somebody has, one number is
  /// asked for, which changes with every write of another (`PRAGMA data_version`). So looking wakes no thread but one.
  static let newsInterval = Duration.seconds(5)

  /// Rings a bell after devices were added, renamed or forgotten: at once when that was done here, and within 5 s when it
  /// was another process. Then it may also ring because of something else in the file.
  public func tell(_ bell: Bell) {
    rope.add(bell)
    guard newsWatch == nil else { return }
    // Before the number: what is written between the two is seen then.
    let traces = FileTraces(of: path)
    dataVersion = try? database.integer("PRAGMA data_version")
    newsWatch = Task { [weak self, path, rope] in
      var seen = traces
      while (try? await Task.sleep(for: SQLiteDeviceStore.newsInterval)) != nil {
        guard self != nil else { return }
        let traces = FileTraces(of: path)
        guard traces.differ(from: seen) || rope.isFree else { continue }
        seen = traces
        guard await self?.lookForNews() == true else { return }
      }
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
