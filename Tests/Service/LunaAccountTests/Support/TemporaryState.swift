import Glibc
import LunaStore

/// A state directory that goes with the test.
final class TemporaryState: Sendable {
  let path: String

  init() {
    var template = Array("/tmp/luna-account-test.XXXXXX".utf8CString)
    path = mkdtemp(&template).map { String(cString: $0) } ?? "/tmp"
  }

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

  deinit {
    for name in files { unlink("\(path)/account/\(name)") }
    rmdir(path + "/account")
    rmdir(path)
  }
}
