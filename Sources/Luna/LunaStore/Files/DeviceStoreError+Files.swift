import Diagnosis
import Glibc
import LunaCore

extension DeviceStoreError {
  static func full(_ path: String) -> DeviceStoreError {
    DeviceStoreError(
      .full, "cannot write \(path): the disk is full, or a limit on file size is reached",
      remedy: "free some space; what was stored before is still there")
  }

  static func damaged(_ path: String, _ what: String) -> DeviceStoreError {
    DeviceStoreError(
      .damaged, "\(path) is damaged: \(what)",
      remedy: what.hasPrefix("\(path)-wal ") ? remedyOfLog(path) : remedyOfFile(path))
  }

  private static func remedyOfFile(_ path: String) -> Remedy {
    // Devices can be exported, and nothing else.
    let isOther = [UplinkStore.fileName, HomeStore.fileName].contains { path.hasSuffix("/\($0)") }
    let anew: Remedy =
      isOther ? "to begin anew" : "and run \(.importing) with an exported file"
    return "nothing was changed. Copy it and its -wal file to a safe place, then restore a backup; "
      + "or move them away " + anew
      + "; or try to save what is left with: sqlite3 \(path) .recover"
  }

  /// A log that was cut or overwritten, or whose place an older copy has taken: its index knows more than is in it.
  /// Without the index SQLite makes one of what can be read.
  private static func remedyOfLog(_ path: String) -> Remedy {
    "nothing was changed. Copy \(path), \(path)-wal and \(path)-shm to a safe place. Then move "
      + "\(path)-shm away: what can still be read of the log counts again, and what came later is "
      + "lost. If it is damaged then as well, move \(path)-wal away, too, or restore a backup"
  }

  static func newer(_ path: String, version: Int64, known: Int) -> DeviceStoreError {
    DeviceStoreError(
      .newer,
      "\(path) was written by a newer version of Luna: its schema is \(version), this build knows "
        + "up to \(known)",
      remedy: "use the newer version, or \(.otherDirectory)")
  }

  static func foreign(_ path: String) -> DeviceStoreError {
    DeviceStoreError(
      .failed, "\(path) is a database of another program",
      remedy: "use \(.otherDirectory)"
    )
  }

  /// - Parameter what: what is in the place of the file.
  static func noFile(_ doing: String, _ path: String, _ what: String) -> DeviceStoreError {
    DeviceStoreError(
      .damaged, "cannot \(doing) \(path): \(what)",
      remedy: "nothing was changed. Move it away, or use \(.otherDirectory)")
  }

  /// A file or directory that cannot be made, opened or changed.
  static func system(_ doing: String, _ path: String, _ code: Int32) -> DeviceStoreError {
    if [ENOSPC, EDQUOT, EFBIG].contains(code) { return .full(path) }
    if [EMFILE, ENFILE].contains(code) {
      return DeviceStoreError(
        .failed, "cannot \(doing) \(path): \(String(cString: strerror(code)))",
        remedy: "allow more open files (ulimit -n)")
    }
    // Of a file of which no link is followed, such as a lock, it says no more than that it is one.
    if code == ELOOP, access(path, F_OK) != 0, errno == ELOOP {
      return .noFile(doing, path, "links that lead in a circle are in its place")
    }
    return DeviceStoreError(
      .denied, "cannot \(doing) \(path): \(String(cString: strerror(code)))",
      remedy: "give this user access to it, or use \(.directory)")
  }
}
