import Glibc

/// Who runs the program, as the system calls them.
enum LoginName {
  /// The name, 32 characters of it; `luna` where the system has none.
  static var current: String {
    guard let entry = getpwuid(getuid()), let name = entry.pointee.pw_name else { return "luna" }
    return String(String(cString: name).prefix(32))
  }
}
