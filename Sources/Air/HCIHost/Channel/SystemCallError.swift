import Glibc

/// A system call that failed.
struct SystemCallError: Error, Hashable {
  /// The call.
  let call: String
  /// Why.
  let errno: Int32

  init(_ call: String, _ errno: Int32) {
    self.call = call
    self.errno = errno
  }
}

extension SystemCallError: CustomStringConvertible {
  var description: String { "\(call): \(String(cString: strerror(errno)))" }
}
