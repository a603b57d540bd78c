import Bluetooth
import CLinux
import Foundation
import Glibc
import LunaTesting
import Synchronization

@testable import BlueZ

/// A controller behind a Unix socket, with a peer in its air, that does what a test wants. It takes
/// one host after the other.
final class FakeController: Sendable {
  /// What becomes of an attempt to connect.
  enum Attempt: Sendable {
    case made
    /// Nobody answers.
    case ignored
    /// LE Connection Complete with this status.
    case failed(UInt8)
    /// LE Connection Complete of success, a moment before the answer to the cancellation.
    case madeTooLate
  }

  /// What happens when a request of the client has come.
  enum Fault: Sendable {
    /// The link is lost.
    case vanish
    /// The peer ends the link.
    case disconnect
    /// Nothing, from now on.
    case silence
    /// The answer comes after this many milliseconds.
    case late(Int)
    /// These bytes come instead.
    case garbage([UInt8])
    /// The socket is closed.
    case close
    /// The controller reports a fault of its hardware.
    case hardwareError
  }

  struct Behaviour: Sendable {
    var attempts: [Attempt] = []
    /// Command statuses of attempts to connect, before any of them is made.
    var refusals: [UInt8] = []
    /// The status with which an attempt that nobody answers ends, once.
    var ending: UInt8?
    /// The socket is closed when this command comes, once.
    var closesAt: UInt16?
    /// A fault of the hardware is reported behind the answer to this command, once.
    var breaksAt: UInt16?
    /// By the opcode of the request, once.
    var faults: [ATTOpcode: Fault] = [:]
    var peer = FakePeer()
  }

  static let peer = GATTPeer(BluetoothAddress(value: 0xE71A_0000_0001), .random)
  private static let handle: UInt16 = 0x40

  let path: String
  private let behaviour = Mutex(Behaviour())
  /// The opcodes of the commands that have come.
  let commands = Watched<[UInt16]>([])
  private let isOver = Mutex(false)
  private let listener: Int32

  init() {
    path =
      NSTemporaryDirectory() + "luna-fake-\(getpid())-\(UInt32.random(in: 0...UInt32.max)).sock"
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let isBound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, size) }
    }
    precondition(isBound == 0 && listen(listener, 4) == 0, "no socket at \(path)")
    var thread = pthread_t()
    let context = Unmanaged.passRetained(self).toOpaque()
    pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        Unmanaged<FakeController>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, context)
    pthread_detach(thread)
  }

  /// Ends it.
  func stop() { isOver.withLock { $0 = true } }

  /// Changes what it does.
  func set(_ change: (inout Behaviour) -> Void) { behaviour.withLock { change(&$0) } }

  /// Whether a request that something is to happen at has not come yet.
  func awaits(_ request: ATTOpcode) -> Bool { behaviour.withLock { $0.faults[request] != nil } }

  /// What the peer keeps.
  var stored: [UInt8] { behaviour.withLock { $0.peer.stored } }

  /// The opcodes of the commands that have come.
  var opcodes: [UInt16] { commands.value }

  private struct Host {
    let descriptor: Int32
    var splitter = H4Splitter()
    var scripted = ScriptedController.legacy
    var assembler = L2CAPAssembler()
    var isScanning = false
    var isConnected = false
    var wanted: Attempt?
    var isSilent = false
    var isClosed = false
    var later: [(at: ContinuousClock.Instant, packet: [UInt8])] = []
    var nextReport = ContinuousClock.now
  }

  private func run() {
    var host: Host?
    while !isOver.withLock(\.self) {
      var waiting = [pollfd(fd: host?.descriptor ?? listener, events: Int16(POLLIN), revents: 0)]
      let ready = poll(&waiting, 1, 5)
      if var current = host {
        if ready > 0 { read(&current) }
        tick(&current)
        if current.isClosed {
          close(current.descriptor)
          behaviour.withLock { $0.peer.disconnected() }
          host = nil
        } else {
          host = current
        }
      } else if ready > 0 {
        let descriptor = accept(listener, nil, nil)
        if descriptor >= 0 { host = Host(descriptor: descriptor) }
      }
    }
    if let host { close(host.descriptor) }
    close(listener)
    unlink(path)
  }

  private func read(_ host: inout Host) {
    var count = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, initialized in
      count = recv(host.descriptor, buffer.baseAddress, buffer.count, 0)
      initialized = max(0, count)
    }
    guard count > 0 else {
      host.isClosed = true
      return
    }
    var packets: [(HCIPacketType, [UInt8])] = []
    host.splitter.feed(bytes.span) { type, packet in
      packets.append((type, (0..<packet.count).map { packet[$0] }))
    }
    for (type, packet) in packets where !host.isClosed {
      switch type {
      case .command: if let command = HCICommand(packet.span) { take(command, &host) }
      case .acl: if let packet = HCIACLPacket(packet.span) { take(packet, &host) }
      default: break
      }
    }
  }

  private func tick(_ host: inout Host) {
    let now = ContinuousClock.now
    let due = host.later.filter { $0.at <= now }
    host.later.removeAll { $0.at <= now }
    for item in due { send(item.packet, &host) }
    if host.wanted != nil, let status = takeEnding() {
      host.wanted = nil
      event(LinkScript.complete(0, status: status), &host)
    }
    if host.isScanning, host.nextReport <= now {
      host.nextReport = now + .milliseconds(20)
      // one report: ADV_IND, random, address, no data, RSSI
      event(
        [0x3E, 12, 0x02, 1, 0, 1] + FakeController.peer.address.littleEndianBytes + [0, 0xC8],
        &host)
    }
  }

  private func takeEnding() -> UInt8? {
    behaviour.withLock { behaviour in
      defer { behaviour.ending = nil }
      return behaviour.ending
    }
  }

  private func send(_ packet: [UInt8], _ host: inout Host) {
    guard !host.isClosed else { return }
    if Glibc.send(host.descriptor, packet, packet.count, Int32(MSG_NOSIGNAL)) < 0 {
      host.isClosed = true
    }
  }

  private func event(_ bytes: [UInt8], _ host: inout Host) { send([0x04] + bytes, &host) }

  private func take(_ command: HCICommand, _ host: inout Host) {
    commands.withLock { $0.append(command.opcode) }
    let closes = behaviour.withLock { behaviour in
      guard behaviour.closesAt == command.opcode else { return false }
      behaviour.closesAt = nil
      return true
    }
    if closes {
      host.isClosed = true
      return
    }
    func status(_ status: UInt8 = 0) {
      event([0x0F, 0x04, status, 1] + command.opcode.octets, &host)
    }
    switch command.opcode {
    case HCIOpcode.leCreateConnection:
      let refusal = behaviour.withLock {
        $0.refusals.isEmpty ? nil : $0.refusals.removeFirst()
      }
      if let refusal { return status(refusal) }
      // A controller that scans and connects at the same time would do; this one insists.
      if host.isScanning { return status(0x0C) }
      status()
      attempt(&host)
    case HCIOpcode.leCreateConnectionCancel:
      guard let wanted = host.wanted else { return complete(command, 0x0C, &host) }
      host.wanted = nil
      if case .madeTooLate = wanted {
        connect(&host)
        return complete(command, 0x0C, &host)
      }
      complete(command, 0, &host)
      event(LinkScript.complete(0, status: 0x02), &host)
    case HCIOpcode.disconnect:
      guard host.isConnected else { return status(0x02) }
      status()
      end(0x16, &host)
    default:
      if command.opcode == HCIOpcode.leSetScanEnable {
        host.isScanning = command.parameters.first == 1
      }
      if let answer = host.scripted.answer(command) { event(answer, &host) }
      let breaks = behaviour.withLock { behaviour in
        guard behaviour.breaksAt == command.opcode else { return false }
        behaviour.breaksAt = nil
        return true
      }
      if breaks { event([0x10, 1, 0x42], &host) }
    }
  }

  private func complete(_ command: HCICommand, _ status: UInt8, _ host: inout Host) {
    event([0x0E, 0x04, 1] + command.opcode.octets + [status], &host)
  }

  private func attempt(_ host: inout Host) {
    let next = behaviour.withLock { $0.attempts.isEmpty ? .made : $0.attempts.removeFirst() }
    switch next {
    case .made: connect(&host)
    case .ignored, .madeTooLate: host.wanted = next
    case .failed(let status): event(LinkScript.complete(0, status: status), &host)
    }
  }

  private func connect(_ host: inout Host) {
    host.isConnected = true
    host.isSilent = false
    host.assembler = L2CAPAssembler()
    event(LinkScript.complete(FakeController.handle), &host)
  }

  private func end(_ reason: UInt8, _ host: inout Host) {
    host.isConnected = false
    host.later = []
    behaviour.withLock { $0.peer.disconnected() }
    event(LinkScript.gone(FakeController.handle, reason), &host)
  }

  private func take(_ packet: HCIACLPacket, _ host: inout Host) {
    guard host.isConnected else { return }
    event(LinkScript.sent(FakeController.handle, 1), &host)
    guard let frame = host.assembler.take(packet), frame.channel == L2CAPChannel.attribute,
      let pdu = try? ATTPDU(frame.payload.span), !host.isSilent
    else { return }
    let fault = behaviour.withLock { $0.faults.removeValue(forKey: pdu.opcode) }
    let answer = behaviour.withLock { $0.peer.answer(pdu) }?.bytes
    switch fault {
    case nil: if let answer { deliver(answer, &host) }
    case .vanish: end(0x08, &host)
    case .disconnect: end(0x13, &host)
    case .silence: host.isSilent = true
    case .late(let milliseconds):
      let at = ContinuousClock.now + .milliseconds(milliseconds)
      host.later += packets(answer ?? []).map { (at, $0) }
    case .garbage(let bytes): deliver(bytes, &host)
    case .close: host.isClosed = true
    case .hardwareError: event([0x10, 1, 0x42], &host)
    }
  }

  private func packets(_ pdu: [UInt8]) -> [[UInt8]] {
    L2CAPFrame(channel: L2CAPChannel.attribute, payload: pdu)
      .fragments(for: FakeController.handle, size: 27).map { packet in
        // From a controller beginnings have another mark.
        HCIACLPacket(
          handle: packet.handle, boundary: packet.boundary == 0 ? 2 : 1, data: packet.data
        ).h4Packet
      }
  }

  private func deliver(_ pdu: [UInt8], _ host: inout Host) {
    for packet in packets(pdu) { send(packet, &host) }
  }
}
