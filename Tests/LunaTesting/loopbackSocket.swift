import Glibc

/// A TCP socket that has a port of loopback, and that no program gets which a test starts.
///
/// - Parameters:
///   - port: 0 for any that is free.
///   - isAnew: whether connections that somebody had at this port before may still be ending.
///   - backlog: how many connections may wait; nil for a socket that does not listen.
/// - Returns: nil when the port is somebody else's.
public func loopbackSocket(
  _ port: UInt16 = 0, isAnew: Bool = false, backlog: Int32? = nil
) -> (descriptor: Int32, port: UInt16)? {
  let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
  if isAnew {
    var yes: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
  }
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = port.bigEndian
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  var length = socklen_t(MemoryLayout<sockaddr_in>.size)
  let isBound = withUnsafeMutablePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
    }
  }
  guard isBound, backlog.map({ listen(descriptor, $0) == 0 }) ?? true else {
    close(descriptor)
    return nil
  }
  return (descriptor, UInt16(bigEndian: address.sin_port))
}
