package import Glibc

extension statvfs {
  /// How much this user may still write, bytes: as much as a number can say where a file system tells of more.
  package var freeBytes: UInt64 {
    let (bytes, overflows) = UInt64(f_bavail).multipliedReportingOverflow(by: UInt64(f_frsize))
    return overflows ? .max : bytes
  }
}
