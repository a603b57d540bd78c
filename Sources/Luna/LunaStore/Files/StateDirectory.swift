import Diagnosis
import Glibc
public import LunaCore
import SQLite

/// The directory in which Luna keeps its state. Only its owner can look into it.
public struct StateDirectory: Hashable, Sendable {
  /// Where it is.
  public let path: String

  /// The directory at a path; it is made when it is used.
  public init(path: String) { self.path = path }

  /// `$XDG_DATA_HOME/luna`, or `~/.local/share/luna` (XDG Base Directory Specification).
  ///
  /// - Throws: ``LunaCore/DeviceStoreError`` of kind `denied` when neither variable is set, or its path is no text.
  public static func standard() throws(DeviceStoreError) -> StateDirectory {
    if let base = try variable("XDG_DATA_HOME") { return StateDirectory(path: base + "/luna") }
    guard let home = try variable("HOME") else {
      throw DeviceStoreError(
        .denied, "neither XDG_DATA_HOME nor HOME is set", remedy: "name \(.namedDirectory)")
    }
    return StateDirectory(path: home + "/.local/share/luna")
  }

  private static func variable(_ name: String) throws(DeviceStoreError) -> String? {
    // A relative path is to be ignored, says the specification.
    guard let value = getenv(name), value[0] == CChar(UInt8(ascii: "/")) else { return nil }
    // With other characters in the place of what is no text it would be the path of another directory.
    if let path = String(validatingCString: value) { return path }
    throw DeviceStoreError(
      .denied, "the path in \(name) is not UTF-8", remedy: "name \(.namedDirectory)")
  }

  /// Makes it and what leads to it, each with mode 0700. One that exists keeps its mode unless it is
  /// empty or holds a file of ours: a shared directory that was named by mistake must not be closed.
  package func create(for fileName: String) throws(DeviceStoreError) {
    var made = ""
    for part in path.split(separator: "/", omittingEmptySubsequences: false) {
      made += (made.isEmpty && part.isEmpty) ? "/" : (made.isEmpty || made == "/" ? "" : "/") + part
      guard !part.isEmpty, mkdir(made, 0o700) != 0 else { continue }
      let code = errno
      // An automounted or read-only parent says EROFS or EACCES although it is there.
      if code != EEXIST, access(made, F_OK) != 0 {
        throw .system("make the directory", made, code)
      }
    }
    var status = stat()
    guard stat(path, &status) == 0 else { throw .system("use the directory", path, errno) }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw .system("use", path, ENOTDIR) }
    let isOpen = status.st_mode & 0o077 != 0
    if isOpen, status.st_uid == geteuid(), isEmpty || access("\(path)/\(fileName)", F_OK) == 0 {
      _ = chmod(path, 0o700)
    }
  }

  /// Whether there is such a file; nothing is made.
  ///
  /// - Throws: an error of kind `denied` where this user may not look: what is there is not known then.
  package func holds(_ fileName: String) throws(DeviceStoreError) -> Bool {
    let file = "\(path)/\(fileName)"
    guard access(file, F_OK) != 0 else { return true }
    let code = errno
    if code == EACCES { throw .system("look for", file, code) }
    // What is wrong with links, or with a file in the place of a directory, who opens it says.
    return code != ENOENT
  }

  private var isEmpty: Bool {
    guard let directory = opendir(path) else { return false }
    defer { closedir(directory) }
    var count = 0
    while count < 3, readdir(directory) != nil { count += 1 }
    return count == 2
  }

  /// Makes the directory, and follows the links of a database in it.
  func place(of fileName: String) throws(DeviceStoreError) -> DatabasePlace {
    try create(for: fileName)
    return try Database.place(of: "\(path)/\(fileName)")
  }

  /// Makes the file of a database with mode 0600 where there is none, and takes the rights of others from
  /// one that is there.
  ///
  /// One that is there is not opened: closing it again would drop the locks that SQLite may hold on
  /// it in this process (POSIX, fcntl).
  static func secure(_ place: DatabasePlace) throws(DeviceStoreError) {
    let file = place.path
    let descriptor = open(file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor >= 0 {
      close(descriptor)
      return
    }
    guard errno == EEXIST else { throw .system("make", file, errno) }
    var status = stat()
    guard lstat(file, &status) == 0 else { throw .system("open", file, errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .system("use", file, EINVAL) }
    guard status.st_mode & 0o077 == 0 || chmod(file, 0o600) == 0 else {
      throw .system("close to other users", file, errno)
    }
  }
}
