import Glibc

/// Where the file of a database is: an absolute path without a symbolic link on it. Links are followed
/// once, when this is made.
///
/// SQLite puts the log and its index beside the end of a link. What else belongs to a database (its
/// lock, what is to replace it) goes there, too. At such a place no link is followed any more: another
/// program that puts one there meanwhile gains nothing.
public struct DatabasePlace: Hashable, Sendable {
  /// The path.
  public let path: String

  /// The directory, in which the companions of the file lie.
  public var directory: String {
    let end = path.lastIndex(of: "/") ?? path.startIndex
    return end == path.startIndex ? "/" : String(path[..<end])
  }

  /// As many links as Linux follows (path_resolution(7)).
  private static let limit = 40

  /// Follows the links of a path; what does not exist yet has none.
  ///
  /// - Throws: a failure of kind `link` when one of them belongs neither to this user nor to root: whoever
  ///   may change it would choose what is written; of kind `noFile` when they lead in a circle, or to
  ///   something that is no file.
  init<Failure: DatabaseError>(of name: String, as: Failure.Type) throws(Failure) {
    var path = name.hasPrefix("/") ? "" : DatabasePlace.current
    // The next part comes last.
    var parts = Array(name.split(separator: "/").reversed())
    var count = 0
    while let part = parts.popLast() {
      if part == "." { continue }
      if part == ".." {
        path = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
        continue
      }
      let next = "\(path)/\(part)"
      var status = stat()
      guard lstat(next, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else {
        path = next
        continue
      }
      guard [0, geteuid()].contains(status.st_uid) else {
        let failure = SQLiteFailure(.link, "\(next) is a symbolic link of user \(status.st_uid)")
        throw Failure(failure, path: name, doing: "open")
      }
      count += 1
      guard count <= DatabasePlace.limit, let end = DatabasePlace.end(of: next) else {
        let failure = SQLiteFailure(.noFile, "links that lead in a circle are in its place")
        throw Failure(failure, path: name, doing: "open")
      }
      if end.hasPrefix("/") { path = "" }
      parts += end.split(separator: "/").reversed()
    }
    self.path = path.isEmpty ? "/" : path
    var status = stat()
    guard lstat(self.path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return }
    let what = status.st_mode & S_IFMT == S_IFDIR ? "a directory" : "a device, a pipe or a socket"
    throw Failure(SQLiteFailure(.noFile, "\(what) is in its place"), path: name, doing: "open")
  }

  private static var current: String {
    guard let text = getcwd(nil, 0) else { return "" }
    defer { free(text) }
    return text[1] == 0 ? "" : String(cString: text)
  }

  private static func end(of link: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(link, &buffer, buffer.count)
    guard count > 0 else { return nil }
    return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
