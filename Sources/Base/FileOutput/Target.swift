import Glibc

/// Where a path leads when its links are followed.
struct Target: Sendable {
  enum Kind {
    /// Nothing is there.
    case absent
    /// An ordinary file.
    case existing
    /// A device, a pipe or a socket.
    case special
  }

  let kind: Kind
  /// The path behind all links.
  let path: String

  /// Its directory.
  var directory: String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  init(_ name: String) throws(FileOutputError) {
    // Who writes that means standard output, and would find a file called so.
    guard name != "-" else { throw FileOutputError(EOPNOTSUPP, path: name) }
    var status = stat()
    if stat(name, &status) == 0 {
      switch status.st_mode & S_IFMT {
      case S_IFREG:
        kind = .existing
        path = Target.resolved(name) ?? name
      case S_IFDIR: throw FileOutputError(EISDIR, path: name)
      default:
        kind = .special
        path = name
      }
      return
    }
    guard errno == ENOENT, !name.isEmpty else { throw FileOutputError(errno, path: name) }
    kind = .absent
    path = try Target.end(of: name)
  }

  private static func resolved(_ name: String) -> String? {
    guard let text = realpath(name, nil) else { return nil }
    defer { free(text) }
    return String(cString: text)
  }

  /// Follows links whose end does not exist yet.
  private static func end(of name: String) throws(FileOutputError) -> String {
    var path = name
    for _ in 0..<40 {
      var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
      let count = readlink(path, &buffer, Int(PATH_MAX))
      guard count > 0 else { return path }
      let link = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
      let slash = path.lastIndex(of: "/")
      path = link.hasPrefix("/") ? link : (slash.map { String(path[...$0]) } ?? "") + link
    }
    throw FileOutputError(ELOOP, path: name)
  }
}
