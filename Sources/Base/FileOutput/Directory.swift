import Glibc

/// The directories of a file system. Calls block.
package enum Directory {
  /// The names in a directory, without `.` and `..`, in no order; nil where it cannot be read, and `errno` says why.
  package static func names(in path: String) -> [String]? {
    guard let handle = opendir(path) else { return nil }
    defer { closedir(handle) }
    var names: [String] = []
    while let entry = readdir(handle) {
      // Where it is: an entry ends with its name, and a copy of all 256 bytes would reach beyond it.
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
