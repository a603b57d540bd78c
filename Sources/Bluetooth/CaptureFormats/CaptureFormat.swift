/// The container formats of captures that Luna reads.
public enum CaptureFormat: Hashable, Sendable {
  /// btsnoop, with what its packets are.
  case btsnoop(BTSnoopDatalink)

  /// In words, for a person.
  public var name: String {
    switch self {
    case .btsnoop(.hci): "btsnoop (HCI)"
    case .btsnoop(.h4): "btsnoop (H4)"
    case .btsnoop(.monitor): "btsnoop (Linux monitor)"
    }
  }
}
