import Glibc

/// Why a socket of the file system cannot be used.
package struct UnixSocketFailure: Error {
  /// The error number of the system call.
  package let code: Int32

  /// It in words.
  package var text: String { String(cString: strerror(code)) }
}
