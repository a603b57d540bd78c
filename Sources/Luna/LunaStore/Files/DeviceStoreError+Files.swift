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
      remedy:
        "nothing was changed. Copy it and its -wal file to a safe place, then restore a backup; "
        + "or move them away and run \(.importing) with an exported file; or try to save what "
        + "is left with: sqlite3 \(path) .recover")
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

  /// A file or directory that cannot be made, opened or changed.
  static func system(_ doing: String, _ path: String, _ code: Int32) -> DeviceStoreError {
    if [ENOSPC, EDQUOT, EFBIG].contains(code) { return .full(path) }
    return DeviceStoreError(
      .denied, "cannot \(doing) \(path): \(String(cString: strerror(code)))",
      remedy: "give this user access to it, or use \(.directory)")
  }
}
