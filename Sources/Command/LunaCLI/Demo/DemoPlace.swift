import Glibc

/// The directory of a demonstration. A temporary one is gone with this value, and all that was put
/// there.
final class DemoPlace: Sendable {
  let path: String
  private let isKept: Bool

  /// - Parameter kept: a directory to use and leave, empty or not there yet; nil for a temporary one.
  init(keeping kept: String?) throws(CommandFailure) {
    isKept = kept != nil
    if let kept {
      try StateDirectoryMaker.make(kept)
      guard DemoPlace.names(in: kept)?.isEmpty == true else {
        throw CommandFailure(
          .usage, "\(kept) is not an empty directory", hint: "name an empty or a new one")
      }
      path = kept
      return
    }
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/luna-demo.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw CommandFailure(
        .noPermission, "cannot make a directory in \(parent): \(ErrorText.of(errno))",
        hint: "set TMPDIR to another directory, or use --keep DIR")
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { discard() }

  func directory(_ name: String) -> String { "\(path)/\(name)" }

  /// Removes what is temporary; can be called more than once.
  func discard() { if !isKept { DemoPlace.remove(path) } }

  /// What is in a directory; nil when it is none, or cannot be read.
  private static func names(in path: String) -> [String]? {
    guard let handle = opendir(path) else { return nil }
    defer { closedir(handle) }
    var names: [String] = []
    while let entry = readdir(handle) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  private static func remove(_ path: String) {
    // Everything in it was made by this process, which makes no links.
    if let names = names(in: path) {
      for name in names { remove("\(path)/\(name)") }
      rmdir(path)
    } else {
      unlink(path)
    }
  }
}
