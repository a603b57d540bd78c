import Bluetooth
import CLinux
package import EventLoop
import Glibc

/// An HCI controller that belongs to this program alone: the kernel's user channel, or a byte
/// stream of H4 packets. Packets in both directions carry the H4 indicator. For the reactor's
/// thread only.
package final class HCIChannel {
  /// What carries the packets.
  package enum Carrier {
    /// A packet for every packet, with the kernel's time: the user channel.
    case packets
    /// A stream.
    case stream
    /// A stream to which nothing can be sent.
    case recording
  }

  private let descriptor: Int32
  private let carrier: Carrier
  private let reactor: Reactor
  private let reader = PacketReader(slot: 4096, count: 16)
  private var splitter = H4Splitter()
  private var watch: ReactorWatch?
  private var timer: ReactorTimer?
  private var hasEnded = false
  /// Whether there was nothing to be read the last time.
  private var isDry = false

  /// Gets every packet, without its indicator, with the time in microseconds since the Unix epoch.
  var onPacket: (HCIPacketType, Span<UInt8>, Int64) -> Void = { _, _, _ in }
  /// Called after a batch of packets.
  var onBatch: () -> Void = {}
  /// Whether a recording should wait, since its reports are not taken fast enough.
  var isCongested: () -> Bool = { false }
  /// Called once when the other side is gone.
  var onEnd: (SourceError?) -> Void = { _ in }

  /// Takes over `descriptor`.
  package init(_ descriptor: Int32, _ carrier: Carrier, on reactor: Reactor) {
    self.descriptor = descriptor
    self.carrier = carrier
    self.reactor = reactor
  }

  /// Bytes that belonged to no packet.
  private(set) var garbage: UInt64 = 0

  /// Begins to receive.
  func resume() {
    if case .recording = carrier { return scheduleReading() }
    watch = reactor.watch(descriptor, for: .readable, ownedBy: self) { channel, _ in
      channel.receive()
    }
  }

  private func receive() {
    if case .packets = carrier { receivePackets() } else { receiveStream() }
    onBatch()
  }

  /// A file is always ready, so epoll does not take it; it is read as fast as the reports are
  /// taken.
  private func scheduleReading() {
    timer = reactor.schedule(after: isCongested() ? .milliseconds(5) : .zero) { [weak self] in
      guard let self else { return }
      timer = nil
      if !isCongested() { receive() }
      guard !hasEnded else { return }
      if isDry { waitForMore() } else { scheduleReading() }
    }
  }

  /// A pipe may have nothing yet. Unlike a file it can be watched.
  private func waitForMore() {
    isDry = false
    watch = reactor.watch(descriptor, for: .readable, ownedBy: self) { channel, _ in
      channel.watch?.cancel()
      channel.watch = nil
      channel.scheduleReading()
    }
  }

  private func receivePackets() {
    let outcome = reader.receive(from: descriptor) { bytes, time in
      guard let type = HCIPacketType(rawValue: bytes[0]) else { return }
      onPacket(type, bytes.extracting(droppingFirst: 1), time)
    }
    switch outcome {
    case .packets, .empty: break
    case .ended(let error): end(error)
    }
  }

  private func receiveStream() {
    var outcome = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
      outcome = read(descriptor, buffer.baseAddress, buffer.count)
      count = max(0, outcome)
    }
    if outcome == 0 { return end(nil) }
    if outcome < 0 {
      let code = errno
      isDry = code == EAGAIN
      if code != EAGAIN && code != EINTR { end(SystemCallError("read", code)) }
      return
    }
    let now = luna_now()
    // Whoever gets a packet may ask for the garbage, or be done with the channel.
    splitter.feed(bytes.span) { type, packet in if !hasEnded { onPacket(type, packet, now) } }
    garbage = splitter.garbage
  }

  private func end(_ error: SystemCallError?) {
    hasEnded = true
    watch?.cancel()
    watch = nil
    onEnd(
      error.map {
        SourceError(
          .lost, $0.errno == EPIPE ? "the adapter was removed" : "the controller is gone: \($0)")
      })
  }

  /// Sends a packet that begins with its indicator.
  func send(_ packet: [UInt8]) throws(SourceError) {
    if case .recording = carrier { return }
    var sent = Int(luna_send(descriptor, packet, packet.count))
    if sent == -Int(ENOTSOCK) {
      sent = write(descriptor, packet, packet.count)
      if sent < 0 { sent = -Int(errno) }
    }
    guard sent == packet.count else {
      let error = SystemCallError("write", sent < 0 ? Int32(-sent) : EAGAIN)
      throw SourceError(.lost, "the controller takes no command: \(error)")
    }
  }

  /// Stops receiving and closes the descriptor.
  package func close() {
    hasEnded = true
    watch?.cancel()
    watch = nil
    timer?.cancel()
    timer = nil
    Glibc.close(descriptor)
  }
}
