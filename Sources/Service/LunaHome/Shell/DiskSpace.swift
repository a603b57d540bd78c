import FileOutput
import Glibc

/// How much room is left on a disk. Blocks.
enum DiskSpace {
  /// With less the rules hear `diskLow`, bytes.
  static let low: UInt64 = 256 << 20
  /// With so much it is well again, bytes.
  static let enough: UInt64 = 320 << 20

  /// What is free where a directory is, bytes; nil when nobody can tell.
  static func free(at path: String) -> UInt64? {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return nil }
    return status.freeBytes
  }
}
