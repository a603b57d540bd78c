import Glibc

/// A directory that is gone with this value, and all that a demonstration puts there.
final class DemoPlace: Sendable {
  let path: String
  private let isKept: Bool

  /// - Parameter kept: a directory to use and leave; nil for a temporary one.
  init(keeping kept: String?) throws(CommandFailure) {
    isKept = kept != nil
    if let kept {
      try StateDirectoryMaker.make(kept)
      path = kept
      return
    }
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/luna-demo.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw CommandFailure(
        .noPermission, "cannot make a directory in \(parent): \(ErrorText.of(errno))",
        hint: "name another with TMPDIR, or use --keep DIR")
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { if !isKept { DemoPlace.remove(path) } }

  func directory(_ name: String) -> String { "\(path)/\(name)" }

  private static func remove(_ path: String) {
    if let handle = opendir(path) {
      var names: [String] = []
      while let entry = readdir(handle) {
        names.append(
          withUnsafeBytes(of: entry.pointee.d_name) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
          })
      }
      closedir(handle)
      for name in names where name != "." && name != ".." { remove("\(path)/\(name)") }
      rmdir(path)
    } else {
      unlink(path)
    }
  }
}
