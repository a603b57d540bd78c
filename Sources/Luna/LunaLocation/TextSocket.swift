import Bluetooth
import CLinux
import Glibc

/// A TCP connection that carries lines of text. Blocks, each call with a limit; ``interrupt()`` ends
/// a call that another thread waits in.
final class TextSocket: Sendable {
  private static let connectLimit: Duration = .seconds(5)

  private let descriptor: Int32
  private let wakeUp: Int32

  /// Connects, to the first address that answers.
  init(host: String, port: UInt16) throws(TextSocketError) {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_ADDRCONFIG | AI_NUMERICSERV
    var list: UnsafeMutablePointer<addrinfo>?
    let failed = getaddrinfo(host, String(port), &hints, &list)
    guard failed == 0 else {
      throw TextSocketError(reason: String(cString: gai_strerror(failed)))
    }
    defer { freeaddrinfo(list) }
    let wakeUp = eventfd(0, Int32(EFD_CLOEXEC))
    guard wakeUp >= 0 else { throw TextSocket.error(errno) }
    var problem = ECONNREFUSED
    var next = list
    while let address = next {
      next = address.pointee.ai_next
      let descriptor = socket(
        address.pointee.ai_family,
        Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
      guard descriptor >= 0 else {
        problem = errno
        continue
      }
      let result = TextSocket.connect(descriptor, address.pointee, wakeUp)
      if result == 0 {
        self.descriptor = descriptor
        self.wakeUp = wakeUp
        return
      }
      problem = result
      close(descriptor)
    }
    close(wakeUp)
    throw TextSocket.error(problem)
  }

  deinit {
    close(descriptor)
    close(wakeUp)
  }

  /// 0, or an error number.
  private static func connect(_ descriptor: Int32, _ address: addrinfo, _ wakeUp: Int32) -> Int32 {
    guard Glibc.connect(descriptor, address.ai_addr, address.ai_addrlen) != 0 else { return 0 }
    guard errno == EINPROGRESS else { return errno }
    let problem = wait(descriptor, Int16(POLLOUT), wakeUp, connectLimit)
    guard problem == 0 else { return problem }
    var code: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length) == 0 else { return errno }
    return code
  }

  /// Waits until the socket is ready: 0, or an error number.
  private static func wait(
    _ descriptor: Int32, _ events: Int16, _ wakeUp: Int32, _ limit: Duration
  ) -> Int32 {
    let deadline = ContinuousClock.now + limit
    while true {
      let rest = deadline - .now
      guard rest > .zero else { return ETIMEDOUT }
      var descriptors = [
        pollfd(fd: descriptor, events: events, revents: 0),
        pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0),
      ]
      let count = poll(&descriptors, 2, Int32(clamping: rest.wholeMilliseconds + 1))
      if count < 0, errno != EINTR { return errno }
      if descriptors[1].revents != 0 { return ECANCELED }
      if count > 0, descriptors[0].revents != 0 { return 0 }
    }
  }

  /// Ends what waits, now and later.
  func interrupt() { eventfd_write(wakeUp, 1) }

  /// The next bytes.
  ///
  /// - Throws: when there are none in time, or the other side has closed the connection.
  func read(within limit: Duration) throws(TextSocketError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(descriptor, &bytes, bytes.count, 0)
      if count > 0 { return Array(bytes[..<count]) }
      if count == 0 { throw TextSocketError(reason: "it has closed the connection") }
      guard errno == EAGAIN || errno == EINTR else { throw TextSocket.error(errno) }
      let problem = TextSocket.wait(descriptor, Int16(POLLIN), wakeUp, limit)
      if problem == ETIMEDOUT {
        throw TextSocketError(reason: "nothing came for \(limit.components.seconds) s")
      }
      guard problem == 0 else { throw TextSocket.error(problem) }
    }
  }

  /// Sends a text.
  func write(_ text: String) throws(TextSocketError) {
    let bytes = Array(text.utf8)
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count >= 0 {
        sent += count
      } else if errno == EAGAIN {
        let problem = TextSocket.wait(
          descriptor, Int16(POLLOUT), wakeUp, TextSocket.connectLimit)
        guard problem == 0 else { throw TextSocket.error(problem) }
      } else if errno != EINTR {
        throw TextSocket.error(errno)
      }
    }
  }

  private static func error(_ code: Int32) -> TextSocketError {
    TextSocketError(reason: String(cString: strerror(code)))
  }
}
