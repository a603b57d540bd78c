import Bluetooth
import CLinux
import Diagnosis
import EventLoop
import Glibc

/// An open byte stream of H4 packets.
struct H4Connection: Sendable {
  /// The descriptor; whoever holds the connection closes it.
  let descriptor: Int32
  /// Whether it is a recording: it can be read to its end, and nothing listens to what is sent.
  let isRecording: Bool

  /// Connects to `address`, within `seconds` or not at all.
  static func open(_ address: H4Address, within seconds: Int = 5) async throws(SourceError)
    -> H4Connection
  {
    try await Blocking.run { () throws(SourceError) in
      switch address {
      case .tcp(let host, let port):
        H4Connection(descriptor: try tcp(host, port, seconds), isRecording: false)
      case .path(let path): try open(path: path, seconds)
      }
    }
  }

  private static func open(path: String, _ seconds: Int) throws(SourceError) -> H4Connection {
    var status = stat()
    guard stat(path, &status) == 0 else { throw failure("stat", errno, path) }
    switch status.st_mode & S_IFMT {
    case S_IFSOCK: return H4Connection(descriptor: try unix(path, seconds), isRecording: false)
    case S_IFCHR: return H4Connection(descriptor: try serial(path), isRecording: false)
    case S_IFREG, S_IFIFO:
      let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      guard descriptor >= 0 else { throw failure("open", errno, path) }
      return H4Connection(descriptor: descriptor, isRecording: true)
    default:
      throw SourceError(
        .invalid, "\(path) is neither a socket, nor a serial line, nor a file of H4 packets")
    }
  }

  private static func unix(_ path: String, _ seconds: Int) throws(SourceError) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let fits = withUnsafeMutableBytes(of: &address.sun_path) { place in
      guard path.utf8.count < place.count else { return false }
      place.copyBytes(from: path.utf8)
      return true
    }
    guard fits else { throw SourceError(.invalid, "the path of the socket is too long: \(path)") }
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw failure("socket", errno, path) }
    limit(descriptor, seconds)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else {
      // One whose queue of those who wait is full does not answer, either.
      let error = errno == EAGAIN ? ETIMEDOUT : errno
      close(descriptor)
      throw failure("connect", error, path)
    }
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    return descriptor
  }

  /// The speed and the flow control stay as they are set: a person knows them, the line does not.
  private static func serial(_ path: String) throws(SourceError) -> Int32 {
    let descriptor = Glibc.open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw failure("open", errno, path) }
    var settings = termios()
    if tcgetattr(descriptor, &settings) == 0 {
      cfmakeraw(&settings)
      settings.c_cflag |= tcflag_t(CLOCAL | CREAD)
      tcsetattr(descriptor, TCSANOW, &settings)
      tcflush(descriptor, TCIOFLUSH)
    }
    return descriptor
  }

  private static func tcp(
    _ host: String, _ port: UInt16, _ seconds: Int
  ) throws(SourceError) -> Int32 {
    let place = "\(host):\(port)"
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, String(port), &hints, &list)
    guard code == 0 else {
      throw SourceError(.noAdapter, "\(place): \(String(cString: gai_strerror(code)))")
    }
    defer { freeaddrinfo(list) }
    var error = ECONNREFUSED
    var next = list
    while let entry = next?.pointee {
      next = entry.ai_next
      let descriptor = socket(
        entry.ai_family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      guard descriptor >= 0 else { continue }
      limit(descriptor, seconds)
      if connect(descriptor, entry.ai_addr, entry.ai_addrlen) == 0 {
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, 4)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        return descriptor
      }
      error = errno == EINPROGRESS ? ETIMEDOUT : errno
      close(descriptor)
    }
    throw failure("connect", error, place)
  }

  private static func limit(_ descriptor: Int32, _ seconds: Int) {
    var limit = timeval(tv_sec: seconds, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  private static func failure(_ call: String, _ error: Int32, _ place: String) -> SourceError {
    let reason = "no controller at \(place): \(SystemCallError(call, error))"
    switch error {
    case EACCES, EPERM:
      return SourceError(
        .noPermission, reason, remedy: "for a serial line, join the group that owns it (dialout)")
    case EBUSY: return SourceError(.busy, reason)
    default: return SourceError(.noAdapter, reason, remedy: "start it, or check the address")
    }
  }
}
