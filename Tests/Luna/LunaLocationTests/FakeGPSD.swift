import Foundation
import Glibc
import LunaTesting
import Synchronization

/// A gpsd of this test's own: greets, waits for WATCH, and sends lines.
final class FakeGPSD: Sendable {
  let port: UInt16
  /// The listening socket and the connections, until they are closed. Only the thread that uses them
  /// does that: a number that is free again may be another test's socket a moment later.
  private let sockets: Mutex<[Int32]>
  /// How often it was asked to watch.
  let watches = Watched(0)
  /// How many bytes it still has to say when all lines are sent.
  let flood: Mutex<Int>

  /// - Parameters:
  ///   - port: 0 for any.
  ///   - flood: how many bytes of reports without a position follow, as fast as they are taken.
  init(
    port: UInt16 = 0, flood: Int = 0, lines: @escaping @Sendable () -> [String]
  ) throws {
    guard let (descriptor, port) = loopbackSocket(port, isAnew: true, backlog: 4) else {
      throw CocoaError(.fileNoSuchFile)
    }
    self.port = port
    self.flood = Mutex(flood)
    sockets = Mutex([descriptor])
    Thread.detachNewThread { [self] in serve(descriptor, lines) }
  }

  private func serve(_ descriptor: Int32, _ lines: @escaping @Sendable () -> [String]) {
    defer {
      sockets.withLock { sockets in
        for socket in sockets { close(socket) }
        sockets = []
      }
    }
    while true {
      let peer = accept(descriptor, nil, nil)
      guard peer >= 0 else { return }
      sockets.withLock { $0.append(peer) }
      send(peer, #"{"class":"VERSION","release":"fake","proto_major":3,"proto_minor":14}"#)
      var bytes = [UInt8](repeating: 0, count: 256)
      let count = recv(peer, &bytes, bytes.count, 0)
      guard count > 0, String(decoding: bytes[..<count], as: UTF8.self).hasPrefix("?WATCH=") else {
        shutdown(peer, Int32(SHUT_RDWR))
        continue
      }
      watches.withLock { $0 += 1 }
      for line in lines() { send(peer, line) }
      sendFlood(peer)
    }
  }

  private func sendFlood(_ peer: Int32) {
    let bytes = Array(String(repeating: "{\"class\":\"SKY\"}\r\n", count: 4096).utf8)
    while flood.withLock({ $0 > 0 }) {
      let count = Glibc.send(peer, bytes, bytes.count, Int32(MSG_NOSIGNAL))
      guard count > 0 else { return }
      flood.withLock { $0 -= count }
    }
  }

  private func send(_ peer: Int32, _ line: String) {
    let bytes = Array((line + "\r\n").utf8)
    _ = Glibc.send(peer, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  /// Ends, with its connections.
  func stop() {
    sockets.withLock { for socket in $0 { shutdown(socket, Int32(SHUT_RDWR)) } }
  }
}
