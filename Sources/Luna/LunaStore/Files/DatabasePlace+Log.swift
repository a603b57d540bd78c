import Diagnosis
package import LunaCore
package import SQLite

extension DatabasePlace {
  /// Looks what the last process to use a database has left, before anybody opens it: SQLite would leave out
  /// without a word what comes after the damage.
  ///
  /// - Throws: an error of kind `damaged` when the log cannot be read to its end.
  package func checkLog() throws(DeviceStoreError) {
    guard let damage = LogWatch.damageLeft(at: self) else { return }
    throw DeviceStoreError(
      .damaged, "\(path) is damaged: \(damage)",
      remedy:
        "nothing was changed. Copy it, its -wal and its -shm file to a safe place, then restore a backup; "
        + "or move all three away, to begin anew")
  }
}
