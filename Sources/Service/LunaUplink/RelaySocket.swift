import Glibc

/// The system calls of a relay.
enum RelaySocket {
  /// How long connecting may take, ms.
  private static let patience: Int32 = 10_000

  /// A socket that listens on loopback, and its port; nil, with `errno`, where there is none.
  static func listen() -> (descriptor: Int32, port: UInt16)? {
    let descriptor = socket(
      AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let isBound = withUnsafeBytes(of: &address) { bytes in
      guard let start = bytes.baseAddress else { return false }
      let name = start.assumingMemoryBound(to: sockaddr.self)
      return bind(descriptor, name, socklen_t(bytes.count)) == 0
    }
    guard isBound, Glibc.listen(descriptor, 16) == 0,
      let port = port(of: descriptor, { getsockname($0, $1, $2) })
    else {
      let code = errno
      close(descriptor)
      errno = code
      return nil
    }
    return (descriptor, port)
  }

  /// The next client, and its port; nil, with `errno`, when there is none.
  static func accept(_ listener: Int32) -> (descriptor: Int32, port: UInt16)? {
    let descriptor = Glibc.accept(listener, nil, nil)
    guard descriptor >= 0 else { return nil }
    guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0, fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0,
      let port = port(of: descriptor, { getpeername($0, $1, $2) })
    else {
      close(descriptor)
      // It is gone already.
      errno = ECONNABORTED
      return nil
    }
    sendAtOnce(descriptor)
    return (descriptor, port)
  }

  /// A connection to a host; nil where it cannot be reached. Waits for the name and for the answer.
  static func connect(_ target: RelayTarget) -> Int32? {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(target.host, String(target.port), &hints, &list) == 0 else { return nil }
    defer { freeaddrinfo(list) }
    var next = list
    while let entry = next?.pointee {
      next = entry.ai_next
      let descriptor = socket(
        entry.ai_family, entry.ai_socktype | Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue),
        entry.ai_protocol)
      guard descriptor >= 0 else { continue }
      if isConnected(descriptor, to: entry) {
        sendAtOnce(descriptor)
        return descriptor
      }
      close(descriptor)
    }
    return nil
  }

  private static func isConnected(_ descriptor: Int32, to entry: addrinfo) -> Bool {
    if Glibc.connect(descriptor, entry.ai_addr, entry.ai_addrlen) == 0 { return true }
    guard errno == EINPROGRESS else { return false }
    var query = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    guard poll(&query, 1, patience) == 1 else { return false }
    var (code, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
    return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size) == 0 && code == 0
  }

  /// What is recorded has the sizes and times of its sender, not those of Nagle's algorithm.
  private static func sendAtOnce(_ descriptor: Int32) {
    var on: Int32 = 1
    setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
  }

  private static func port(
    of descriptor: Int32,
    _ ask: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
  ) -> UInt16? {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isKnown = withUnsafeMutableBytes(of: &address) { bytes in
      guard let start = bytes.baseAddress else { return false }
      return ask(descriptor, start.assumingMemoryBound(to: sockaddr.self), &size) == 0
    }
    return isKnown ? UInt16(bigEndian: address.sin_port) : nil
  }
}
