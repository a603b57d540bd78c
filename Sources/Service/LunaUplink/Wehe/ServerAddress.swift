import Diagnosis
import EventLoop
import Glibc
public import UplinkProtocol

/// The address of a server, looked up once: all connections of a test go there.
public struct ServerAddress: Hashable, Sendable {
  /// Where addresses of either family have their port, its high byte first.
  private static let portPlace = 2

  /// The address, as text.
  public let text: String
  /// The address as it stands in a URL.
  var urlText: String { text.utf8.contains(UInt8(ascii: ":")) ? "[\(text)]" : text }
  private let family: Int32
  /// It as system calls take it, with port 0.
  private let name: [UInt8]

  /// Looks up a server: the first address that its name has.
  ///
  /// - Throws: ``UplinkProtocol/ReplayError`` of kind `connect`.
  public static func find(_ host: String) async throws(ReplayError) -> ServerAddress {
    try await Blocking.run { () throws(ReplayError) in try ServerAddress(lookingUp: host) }
  }

  /// Looks up a server on a thread that may wait.
  init(lookingUp host: String) throws(ReplayError) {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, nil, &hints, &list)
    defer { if let list { freeaddrinfo(list) } }
    guard code == 0, let entry = list?.pointee, let address = entry.ai_addr else {
      let reason = String(cString: gai_strerror(code))
      throw ReplayError(
        .connect, "\(host) cannot be found: \(reason)",
        remedy: "check its name and this machine's network")
    }
    family = entry.ai_family
    name = Array(UnsafeRawBufferPointer(start: address, count: Int(entry.ai_addrlen)))
    var digits = [CChar](repeating: 0, count: 64)
    let isText =
      getnameinfo(
        address, entry.ai_addrlen, &digits, socklen_t(digits.count), nil, 0, NI_NUMERICHOST) == 0
    let written = digits.withUnsafeBytes { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    text = isText ? written : host
  }

  /// A socket for it, of TCP or UDP, whose calls do not wait; nil where this machine gives none.
  func socket(isStream: Bool) -> Int32? {
    let type = isStream ? SOCK_STREAM : SOCK_DGRAM
    let descriptor = Glibc.socket(
      family, Int32(type.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    return descriptor >= 0 ? descriptor : nil
  }

  /// Makes a system call with the address and a port.
  func call(port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int) -> Int {
    var storage = sockaddr_storage()
    return withUnsafeMutableBytes(of: &storage) { bytes in
      guard let start = bytes.baseAddress, name.count <= bytes.count else { return -1 }
      bytes.copyBytes(from: name)
      bytes[ServerAddress.portPlace] = UInt8(port >> 8)
      bytes[ServerAddress.portPlace + 1] = UInt8(port & 255)
      let address = UnsafePointer(start.assumingMemoryBound(to: sockaddr.self))
      return body(address, socklen_t(name.count))
    }
  }

  /// Whether the address of a socket is of this server, whatever its port.
  func isHost(of other: sockaddr_storage) -> Bool {
    let place = family == AF_INET ? 4..<8 : 8..<24
    return Int32(other.ss_family) == family && name.count >= place.upperBound
      && withUnsafeBytes(of: other) { $0[place].elementsEqual(name[place]) }
  }
}
