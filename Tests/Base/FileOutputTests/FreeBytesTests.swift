import FileOutput
import Glibc
import Testing

@Suite struct FreeBytesTests {
  /// A file system of somebody may tell of any numbers.
  @Test func countsFreeBytesWithoutEnd() {
    var disk = statvfs()
    disk.f_bavail = 3
    disk.f_frsize = 4096
    #expect(disk.freeBytes == 12_288)
    disk.f_bavail = .max
    #expect(disk.freeBytes == .max)
  }
}
