import Glibc
import LunaStore
import LunaTesting

/// A state directory that goes with the test.
final class TemporaryState: Sendable {
  private let folder = TestFolder()

  var path: String { folder.path }

  var directory: StateDirectory { StateDirectory(path: path) }

  /// What is in the directory of credentials.
  var files: [String] {
    guard let list = opendir(path + "/account") else { return [] }
    defer { closedir(list) }
    var names: [String] = []
    while let entry = readdir(list) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }
}
