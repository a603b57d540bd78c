import CLinux
import Glibc

/// Sockets in a directory, however long its path is.
package enum UnixSocket {
  /// Connects.
  package static func connect(
    in directory: String, name: String
  ) throws(UnixSocketFailure) -> Int32 {
    try checked(luna_unix_join(directory, name))
  }

  /// Makes a socket that only its owner can use, and listens.
  static func listen(in directory: String, name: String) throws(UnixSocketFailure) -> Int32 {
    try checked(luna_unix_listen(directory, name))
  }

  private static func checked(_ result: Int32) throws(UnixSocketFailure) -> Int32 {
    guard result >= 0 else { throw UnixSocketFailure(code: -result) }
    return result
  }

  /// Writes all of it; false when the other side is gone.
  package static func send(_ line: String, to socket: Int32) -> Bool {
    let bytes = Array(line.utf8) + [0x0A]
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
