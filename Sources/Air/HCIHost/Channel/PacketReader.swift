import CLinux
import Glibc

/// Receives packets in batches into one buffer that is used again and again. For the reactor's
/// thread only.
final class PacketReader {
  /// How a batch ended.
  enum Outcome {
    /// So many packets were received; as many as fit when there may be more.
    case packets(Int)
    /// The other side has closed.
    case closed
    /// Nothing to receive now.
    case empty
    /// The kernel refused.
    case failed(SystemCallError)
  }

  private let buffer: UnsafeMutableRawPointer
  private let slot: Int
  private let count: Int
  private var packets = [luna_packet](repeating: luna_packet(), count: Int(LUNA_BATCH))

  /// A reader of up to `count` packets at a time, of at most `slot` bytes each.
  init(slot: Int, count: Int) {
    self.slot = slot
    self.count = min(count, Int(LUNA_BATCH))
    buffer = .allocate(byteCount: slot * count, alignment: 16)
  }

  deinit { buffer.deallocate() }

  /// The most packets that one batch holds.
  var batch: Int { count }

  /// Receives what there is from `descriptor`, and lends each packet to `body` with the kernel's
  /// time, in microseconds since the Unix epoch.
  func receive(from descriptor: Int32, _ body: (Span<UInt8>, Int64) -> Void) -> Outcome {
    let received = luna_receive(descriptor, buffer, slot, UInt32(count), &packets)
    if received == -EAGAIN { return .empty }
    if received < 0 { return .failed(SystemCallError("recvmmsg", -received)) }
    for index in 0..<Int(received) {
      let packet = packets[index]
      // An empty packet of a stream is its end.
      if packet.length == 0 { return index == 0 ? .closed : .packets(index) }
      let bytes = UnsafeRawBufferPointer(
        start: buffer + index * slot, count: Int(packet.length))
      let time = packet.microseconds != 0 ? packet.microseconds : luna_now()
      bytes.withMemoryRebound(to: UInt8.self) { body($0.span, time) }
    }
    return received == 0 ? .closed : .packets(Int(received))
  }
}
