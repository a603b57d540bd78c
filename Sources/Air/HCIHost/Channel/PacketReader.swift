import CLinux
import Glibc

/// Receives packets in batches into one buffer that is used again and again. For the reactor's
/// thread only.
package final class PacketReader {
  /// How a batch ended.
  package enum Outcome {
    /// So many packets were received; as many as fit when there may be more.
    case packets(Int)
    /// Nothing to receive now.
    case empty
    /// Nothing comes any more: the other side has closed, or the kernel says why. Stop watching the
    /// descriptor then, which stays ready for ever.
    case ended(SystemCallError?)
  }

  private let buffer: UnsafeMutableRawPointer
  private let slot: Int
  private let count: Int
  private var packets = [luna_packet](repeating: luna_packet(), count: Int(LUNA_BATCH))

  /// A reader of up to `count` packets at a time, of at most `slot` bytes each.
  package init(slot: Int, count: Int) {
    self.slot = slot
    self.count = min(count, Int(LUNA_BATCH))
    buffer = .allocate(byteCount: slot * count, alignment: 16)
  }

  deinit { buffer.deallocate() }

  /// The most packets that one batch holds.
  package var batch: Int { count }

  /// Receives what there is from `descriptor`, and lends each packet to `body` with the kernel's
  /// time, in microseconds since the Unix epoch.
  package func receive(from descriptor: Int32, _ body: (Span<UInt8>, Int64) -> Void) -> Outcome {
    let received = luna_receive(descriptor, buffer, slot, UInt32(count), &packets)
    if received == -EAGAIN { return .empty }
    if received < 0 { return .ended(SystemCallError("recvmmsg", -received)) }
    for index in 0..<Int(received) {
      let packet = packets[index]
      // An empty packet of a stream is its end.
      if packet.length == 0 { return index == 0 ? .ended(nil) : .packets(index) }
      let bytes = UnsafeRawBufferPointer(
        start: buffer + index * slot, count: Int(packet.length))
      let time = packet.microseconds != 0 ? packet.microseconds : luna_now()
      bytes.withMemoryRebound(to: UInt8.self) { body($0.span, time) }
    }
    return received == 0 ? .ended(nil) : .packets(Int(received))
  }
}
