import Glibc

/// Where the file of a home is, on the machine that it is for.
package enum HomeFilePlace {
  /// The file in the configuration of a user (XDG Base Directory Specification: a relative path is to be ignored);
  /// nil without a home directory.
  ///
  /// - Parameter variable: gives a variable of the environment.
  package static func usual(_ variable: (String) -> String?) -> String? {
    func given(_ name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }
    let base =
      given("XDG_CONFIG_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
      ?? given("HOME").map { $0 + "/.config" }
    return base.map { $0 + "/luna/home.json" }
  }

  /// Makes the directory that a file is to lie in, for nobody else to read. What cannot be made is told when the file
  /// cannot be written.
  package static func makeDirectory(of path: String) {
    var end = path.startIndex
    while let slash = path[end...].firstIndex(of: "/") {
      if slash > path.startIndex { mkdir(String(path[..<slash]), 0o700) }
      end = path.index(after: slash)
    }
  }

  /// Whether others may not read a file; what replaces it is to be the same.
  package static func isPrivate(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & 0o077 == 0
  }

  /// Whether anybody may read a file. A copy of one that a group may read is its owner's: nobody knows whose group
  /// it would get.
  package static func isForAll(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & 0o004 != 0
  }
}
