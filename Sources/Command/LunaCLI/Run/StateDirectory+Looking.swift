import Diagnosis
import FileOutput
import Glibc
import LunaCore
import LunaStore

extension StateDirectory {
  private static let empty = TemporaryFolder("luna")

  /// Where a command that only looks finds a file: here; or, where there is none, in an empty directory that goes
  /// when the process says that it ends. What somebody has mistyped does not become a directory.
  func looking(for fileName: String) throws(DeviceStoreError) -> StateDirectory {
    guard try !holds(fileName) else { return self }
    guard let folder = StateDirectory.empty else {
      throw DeviceStoreError(
        .denied, "cannot make a directory in \(TemporaryFolder.parent): \(ErrorText.of(errno))",
        remedy: "set TMPDIR to another directory")
    }
    return StateDirectory(path: folder.path)
  }
}
