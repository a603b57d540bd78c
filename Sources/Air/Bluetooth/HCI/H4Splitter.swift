/// Splits a stream of H4 packets, as a UART or a socket delivers it in pieces of any size
/// (Core Specification, Vol 4, Part A).
///
/// The format has no marks to find the next packet by. Bytes where a packet indicator must stand
/// and none does are skipped and counted, and so are lengths that no controller sends.
public struct H4Splitter: Sendable {
  /// The longest data of an ACL or ISO packet that is believed.
  public static let longestData = 4096

  /// The bytes that were skipped.
  public private(set) var garbage: UInt64 = 0

  private var buffer: [UInt8] = []

  /// A splitter at the start of a stream.
  public init() {}

  /// The bytes of a packet that is not complete yet.
  public var pending: Int { buffer.count }

  /// Takes the next piece of the stream and hands every packet that is complete to `body`, without
  /// its indicator.
  public mutating func feed(
    _ bytes: Span<UInt8>, _ body: (HCIPacketType, Span<UInt8>) -> Void
  ) {
    // Nearly always whole packets arrive; then nothing is copied.
    if buffer.isEmpty {
      let used = split(bytes, body)
      for index in used..<bytes.count { buffer.append(bytes[index]) }
      return
    }
    for index in 0..<bytes.count { buffer.append(bytes[index]) }
    let whole = buffer
    buffer = []
    let used = split(whole.span, body)
    if used < whole.count { buffer = Array(whole[used...]) }
  }

  /// Returns how many bytes were used up.
  private mutating func split(
    _ bytes: Span<UInt8>, _ body: (HCIPacketType, Span<UInt8>) -> Void
  ) -> Int {
    var position = 0
    while position < bytes.count {
      guard let type = HCIPacketType(rawValue: bytes[position]) else {
        garbage &+= 1
        position += 1
        continue
      }
      let header = position + 1
      guard bytes.count - header >= type.headerCount else { break }
      let count = dataCount(type, bytes, header)
      guard count <= H4Splitter.longestData else {
        garbage &+= 1
        position += 1
        continue
      }
      let end = header + type.headerCount + count
      guard end <= bytes.count else { break }
      body(type, bytes.extracting(header..<end))
      position = end
    }
    return position
  }

  private func dataCount(_ type: HCIPacketType, _ bytes: Span<UInt8>, _ header: Int) -> Int {
    switch type {
    case .command, .synchronous: Int(bytes[header + 2])
    case .event: Int(bytes[header + 1])
    case .acl: Int(bytes[header + 2]) | Int(bytes[header + 3]) << 8
    case .isochronous: Int(bytes[header + 2]) | Int(bytes[header + 3] & 0x3F) << 8
    }
  }
}
