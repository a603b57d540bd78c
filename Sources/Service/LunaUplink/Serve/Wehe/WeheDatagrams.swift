import Glibc
import Synchronization

/// A port of a server where datagrams of Wehe's clients come, and from where it sends.
final class WeheDatagrams: Sendable {
  let port: UInt16
  private let descriptor: Int32
  private let isClosed = Atomic(false)

  /// Nil, with `errno`, where it cannot be used.
  init?(on host: String, port: UInt16) {
    var hints = addrinfo()
    hints.ai_flags = AI_PASSIVE
    hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, String(port), &hints, &list) == 0, let entry = list?.pointee else {
      errno = EADDRNOTAVAIL
      return nil
    }
    defer { freeaddrinfo(list) }
    let type = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let descriptor = socket(entry.ai_family, type, 0)
    guard descriptor >= 0 else { return nil }
    guard bind(descriptor, entry.ai_addr, entry.ai_addrlen) == 0 else {
      let code = errno
      Glibc.close(descriptor)
      errno = code
      return nil
    }
    self.port = port
    self.descriptor = descriptor
  }

  deinit { close() }

  /// Lets go of the port; nobody may use it any more.
  func close() {
    if !isClosed.exchange(true, ordering: .relaxed) { Glibc.close(descriptor) }
  }

  /// Waits for a datagram.
  ///
  /// - Returns: from where it came; nil at the end.
  func next(_ end: EndSignal) -> sockaddr_storage? {
    var polls = [end.descriptor, descriptor].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    while true {
      guard poll(&polls, 2, -1) >= 0 || errno == EINTR, polls[0].revents == 0 else { return nil }
      var (source, byte) = (sockaddr_storage(), UInt8(0))
      var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
      // What is in it does not matter.
      let count = withUnsafeMutableBytes(of: &source) { source in
        recvfrom(
          descriptor, &byte, 1, 0, source.baseAddress?.assumingMemoryBound(to: sockaddr.self),
          &length)
      }
      if count >= 0 { return source }
    }
  }

  /// Sends a datagram, or loses it.
  func send(_ bytes: [UInt8], to target: sockaddr_storage) {
    let size =
      Int32(target.ss_family) == AF_INET
      ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
    withUnsafeBytes(of: target) { target in
      _ = sendto(
        descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL),
        target.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(size))
    }
  }
}
