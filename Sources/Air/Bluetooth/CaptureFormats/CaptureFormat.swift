import Diagnosis

/// The container formats of captures that Luna reads.
public enum CaptureFormat: Hashable, Sendable {
  /// btsnoop, with what its packets are.
  case btsnoop(BTSnoopDatalink)
  /// pcap, with what its packets are.
  case pcap(LinkType)
  /// pcapng; each interface in it has a link type of its own.
  case pcapng

  /// What Luna reads, for error messages.
  static let supported: Remedy =
    "supported are btsnoop (datalinks 1001, 1002, 2001), and pcap and pcapng "
    + "(link types 187, 201, 251, 254, 256, 272)"

  /// In words, for a person.
  public var name: String {
    switch self {
    case .btsnoop(.hci): "btsnoop (HCI)"
    case .btsnoop(.h4): "btsnoop (H4)"
    case .btsnoop(.monitor): "btsnoop (Linux monitor)"
    case .pcap(let type): "pcap (\(type.name))"
    case .pcapng: "pcapng"
    }
  }
}
