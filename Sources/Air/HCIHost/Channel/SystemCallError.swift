import Glibc

/// A system call that failed.
package struct SystemCallError: Error, Hashable {
  /// The call.
  package let call: String
  /// Why.
  package let errno: Int32

  package init(_ call: String, _ errno: Int32) {
    self.call = call
    self.errno = errno
  }
}

extension SystemCallError: CustomStringConvertible {
  package var description: String { "\(call): \(String(cString: strerror(errno)))" }
}
