import Glibc
import TLSStream

/// One of two connected sockets, with TLS over it.
final class StreamSide {
  let stream: TLSStream
  private(set) var isEnded = false
  private var descriptor: Int32

  /// Takes a socket over.
  init(_ descriptor: Int32, _ role: TLSRole) throws {
    self.descriptor = descriptor
    stream = try TLSStream(over: descriptor, role)
  }

  deinit { close() }

  func close() {
    guard descriptor >= 0 else { return }
    Glibc.close(descriptor)
    descriptor = -1
  }

  /// All that is there now.
  func read() throws -> [UInt8] {
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 10_000)
    while true {
      switch try stream.receive(buffer.count, into: &buffer) {
      case .bytes(let count): all += buffer[..<count]
      case .nothing: return all
      case .end:
        isEnded = true
        return all
      }
    }
  }
}
