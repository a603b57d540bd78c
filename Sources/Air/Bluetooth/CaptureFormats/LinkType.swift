/// What the packets of a pcap or pcapng file are, of those that Luna reads; the numbers are
/// libpcap's link types (https://www.tcpdump.org/linktypes.html).
public enum LinkType: UInt16, Sendable {
  /// HCI packets behind an H4 packet indicator.
  case h4 = 187
  /// The same behind a direction, four bytes.
  case h4WithDirection = 201
  /// Link-layer packets, from the access address on.
  case linkLayer = 251
  /// What the Linux monitor channel carries, behind adapter and opcode.
  case monitor = 254
  /// Link-layer packets behind a radio header of ten bytes.
  case linkLayerWithRadio = 256
  /// Packets of the nRF Sniffer for Bluetooth LE.
  case nordicSniffer = 272

  /// In words, for a person.
  public var name: StaticString {
    switch self {
    case .h4: "HCI"
    case .h4WithDirection: "HCI with direction"
    case .linkLayer: "LE link layer"
    case .monitor: "Linux monitor"
    case .linkLayerWithRadio: "LE link layer with radio header"
    case .nordicSniffer: "nRF Sniffer"
    }
  }

  /// The packet in the bytes of a record.
  func packet(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> CapturePacket {
    switch self {
    case .h4:
      return LinkType.h4Packet(bytes, from: start, to: end)
    case .h4WithDirection:
      guard end &- start >= 4 else { return CapturePacket(.other, start, end) }
      return LinkType.h4Packet(bytes, from: start &+ 4, to: end)
    case .monitor:
      // adapter and opcode, big-endian whatever the file is
      guard end &- start >= 4 else { return CapturePacket(.other, start, end) }
      return LinkType.monitorPacket(
        bytes.bigEndian(UInt32.self, at: start), from: start &+ 4, to: end)
    case .linkLayer:
      return CapturePacket(.linkLayer, start, end)
    case .linkLayerWithRadio:
      return CapturePacket(.linkLayerWithRadio, start, end)
    case .nordicSniffer:
      return CapturePacket(.nordicSniffer, start, end)
    }
  }

  /// The indicator decides, not the direction beside it: only a controller sends events.
  @inline(__always)
  static func h4Packet(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> CapturePacket {
    guard start < end, bytes[start] == HCIPacketType.event.rawValue else {
      return CapturePacket(.other, start, end)
    }
    return CapturePacket(.event, start &+ 1, end)
  }

  @inline(__always)
  static func monitorPacket(
    _ adapterAndOpcode: UInt32, from start: Int, to end: Int
  ) -> CapturePacket {
    let adapter = UInt16(truncatingIfNeeded: adapterAndOpcode >> 16)
    let isEvent = UInt16(truncatingIfNeeded: adapterAndOpcode) == MonitorOpcode.event
    return CapturePacket(
      isEvent ? .event : .other, start, end,
      adapter: adapter == MonitorOpcode.noAdapter ? nil : adapter)
  }
}

extension CapturePacket {
  @inline(__always)
  init(_ content: Content, _ start: Int, _ end: Int, adapter: UInt16? = nil) {
    self.init(content: content, adapter: adapter, range: start..<end)
  }
}
