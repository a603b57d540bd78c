import Glibc

/// A socket of UDP of a replay. What comes from another host than the server is not taken.
final class DatagramSocket: FlowSocket {
  private let descriptor: Int32
  private let server: ServerAddress
  /// A datagram for which there was no room.
  private var pending: (bytes: [UInt8], port: UInt16)?

  /// A socket; nil where this machine gives none.
  init?(to server: ServerAddress) {
    guard let descriptor = server.socket(isStream: false) else { return nil }
    self.descriptor = descriptor
    self.server = server
  }

  deinit { close(descriptor) }

  var isOpen: Bool { true }

  var isSending: Bool { pending != nil }

  func query(reads: Bool) -> pollfd {
    pollfd(
      fd: descriptor, events: Int16(isSending ? POLLIN | POLLOUT : POLLIN), revents: 0)
  }

  func proceed() -> Bool {
    guard let (bytes, port) = pending else { return true }
    pending = nil
    return send(bytes, to: port)
  }

  func send(_ bytes: [UInt8], to port: UInt16) -> Bool {
    let result = server.call(port: port) { name, length in
      bytes.withUnsafeBytes {
        sendto(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL), name, length)
      }
    }
    // What else goes wrong is a datagram that was lost.
    if result < 0, errno == EAGAIN { pending = (bytes, port) }
    return true
  }

  func receive(_ limit: Int, into buffer: inout [UInt8]) -> FlowArrival {
    var source = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let room = min(limit, buffer.count)
    let count = buffer.withUnsafeMutableBytes { buffer in
      withUnsafeMutableBytes(of: &source) { source in
        recvfrom(
          descriptor, buffer.baseAddress, room, 0,
          source.baseAddress?.assumingMemoryBound(to: sockaddr.self), &length)
      }
    }
    guard count > 0, server.isHost(of: source) else { return .nothing }
    return .bytes(count)
  }
}
