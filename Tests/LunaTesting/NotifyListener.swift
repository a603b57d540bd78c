import Glibc

/// Where a manager of services listens to what they tell (NOTIFY_SOCKET).
public final class NotifyListener: Sendable {
  /// What there is no place for.
  public struct Failure: Error {}

  /// Its address: a path, or a name without a file with @ in front.
  public let address: String
  private let descriptor: Int32

  /// - Parameter prefix: what its address begins with: a directory, or @.
  public init(_ prefix: String) throws {
    address = "\(prefix)luna-notify-\(getpid())-\(UInt64.random(in: 0 ... .max))"
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    var place = sockaddr_un()
    place.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(address.utf8)
    withUnsafeMutableBytes(of: &place.sun_path) { $0.copyBytes(from: bytes) }
    var size = MemoryLayout<sa_family_t>.size + bytes.count
    if prefix == "@" {
      withUnsafeMutableBytes(of: &place.sun_path) { $0[0] = 0 }
    } else {
      size += 1
    }
    let length = socklen_t(size)
    let result = withUnsafePointer(to: &place) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
    }
    guard result == 0 else { throw Failure() }
  }

  deinit {
    close(descriptor)
    if address.hasPrefix("/") { unlink(address) }
  }

  /// The next message; nil when there is none.
  public func next() -> String? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
    return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
  }
}
