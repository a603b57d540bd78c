/// The PDU that an advertising report stands for (Core Specification, Vol 6, Part B, 2.3).
public enum PDUType: UInt8, CaseIterable, Sendable {
  /// Connectable and scannable, undirected.
  case advInd = 0
  /// Connectable, directed.
  case advDirectInd = 1
  /// Scannable, undirected.
  case advScanInd = 2
  /// Neither connectable nor scannable.
  case advNonconnInd = 3
  /// The answer to a scan request.
  case scanRsp = 4
  /// Extended advertising: any PDU that is not a legacy one.
  case advExtInd = 5

  /// The name in the specification.
  public var name: StaticString {
    switch self {
    case .advInd: "ADV_IND"
    case .advDirectInd: "ADV_DIRECT_IND"
    case .advScanInd: "ADV_SCAN_IND"
    case .advNonconnInd: "ADV_NONCONN_IND"
    case .scanRsp: "SCAN_RSP"
    case .advExtInd: "ADV_EXT_IND"
    }
  }
}
