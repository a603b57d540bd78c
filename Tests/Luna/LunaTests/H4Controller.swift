import Foundation
import Glibc
import Luna
import Synchronization

/// An HCI controller behind a Unix socket that hears what another source does, and refuses to connect.
final class H4Controller: Sendable {
  static let createConnection: UInt16 = 0x200D
  private static let setScanEnable: UInt16 = 0x200C

  private struct State {
    var host: Int32?
    var isScanning = false
    var hosts = 0
    var opcodes: [UInt16] = []
  }

  let path = NSTemporaryDirectory() + "luna-h4-\(UUID().uuidString.prefix(8)).sock"
  private let listener: Int32
  private let state = Mutex(State())

  init() throws {
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let isBound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, size) }
    }
    guard isBound == 0, listen(listener, 4) == 0 else { throw POSIXError(.EADDRINUSE) }
    Thread.detachNewThread { [self] in serve() }
  }

  /// How many times a host has come.
  var hosts: Int { state.withLock(\.hosts) }

  /// The commands that have come.
  var opcodes: [UInt16] { state.withLock(\.opcodes) }

  /// Ends it, for whoever is connected too.
  func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
    if let host = state.withLock(\.host) { shutdown(host, Int32(SHUT_RDWR)) }
    unlink(path)
  }

  /// Something is on the air.
  func hear(_ report: AdvertisingReport) {
    let data = report.payload.withBytes { bytes in (0..<bytes.count).map { bytes[$0] } }
    guard data.count <= 31, report.isScanResponse != true else { return }
    let address = (0..<6).map { UInt8(truncatingIfNeeded: report.address.value >> UInt64(8 * $0)) }
    let kind: UInt8 = report.isConnectable == true ? 0 : 3
    let body: [UInt8] = [2, 1, kind, 1] + address + [UInt8(data.count)] + data + [0xC8]
    state.withLock { if $0.isScanning, let host = $0.host { event(0x3E, body, to: host) } }
  }

  private func serve() {
    while true {
      let host = accept(listener, nil, nil)
      guard host >= 0 else { break }
      state.withLock { state in
        state.host = host
        state.hosts += 1
        state.isScanning = false
      }
      var splitter = H4Splitter()
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = read(host, &buffer, buffer.count)
        guard count > 0 else { break }
        let bytes = Array(buffer[..<count])
        splitter.feed(bytes.span) { type, packet in
          if type == .command, let command = HCICommand(packet) { take(command, from: host) }
        }
      }
      state.withLock { $0.host = nil }
      close(host)
    }
    close(listener)
  }

  private func take(_ command: HCICommand, from host: Int32) {
    let opcode = [UInt8(command.opcode & 0xFF), UInt8(command.opcode >> 8)]
    state.withLock { state in
      state.opcodes.append(command.opcode)
      if command.opcode == H4Controller.setScanEnable {
        state.isScanning = command.parameters.first == 1
      }
      guard command.opcode != H4Controller.createConnection else {
        // Connection Limit Exceeded.
        return event(0x0F, [0x09, 1] + opcode, to: host)
      }
      event(0x0E, [1] + opcode + [0] + answer(command.opcode), to: host)
    }
  }

  /// What a controller of Bluetooth 4 returns: scanning and connecting, nothing extended.
  private func answer(_ opcode: UInt16) -> [UInt8] {
    switch opcode {
    case 0x1001: [0x0C, 0x34, 0x12, 0x0C, 0xF1, 0x05, 0x78, 0x56]
    case 0x1002: (0..<64).map { $0 == 26 ? 0b1100 : 0 }
    case 0x1003: [0, 0, 0, 0, 0x60, 0, 0, 0]
    case 0x1005: [0xFD, 0x03, 0x40, 0x06, 0, 0, 0]
    case 0x1009: [0x10, 0xF4, 0xF3, 0xF2, 0xF1, 0xF0]
    case 0x2002: [251, 0, 8]
    case 0x2003: [1, 0, 0, 0, 0, 0, 0, 0]
    default: []
    }
  }

  private func event(_ code: UInt8, _ body: [UInt8], to host: Int32) {
    let packet = [0x04, code, UInt8(body.count)] + body
    _ = send(host, packet, packet.count, Int32(MSG_NOSIGNAL))
  }
}
