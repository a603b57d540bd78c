/// Reads advertising PDUs out of link-layer packets, as radio captures hold them
/// (Core Specification, Vol 6, Part B, 2.1 and 2.3).
public enum AdvertisingPDUParser {
  /// The access address of advertising.
  public static let accessAddress: UInt32 = 0x8E89_BED6

  /// What a frame was found to be.
  public enum Outcome: Sendable {
    /// An advertisement; its report was appended.
    case report
    /// Something else: a request, a data PDU, another access address.
    case notAdvertising
    /// Its checksum is wrong or missing, so nothing in it can be believed.
    case wrongChecksum
    /// Its checksum is right, and yet it ends before its PDU does, or the fields of the PDU do not
    /// fit into it.
    case malformed
  }

  /// Appends the report of the PDU in `bytes`, if it is an advertisement.
  ///
  /// The length in the PDU's header counts, not that of the frame: what lies behind the checksum is
  /// ignored. Where the recorder did not check the checksum, it is checked here.
  ///
  /// - Parameters:
  ///   - bytes: The frame.
  ///   - frame: What the recorder told about it.
  ///   - time: When it was recorded.
  ///   - reports: Gets the report.
  public static func parse(
    _ bytes: Span<UInt8>, frame: LinkLayerFrame, time: Timestamp,
    into reports: inout [AdvertisingReport]
  ) -> Outcome {
    // access address 4, coding indicator 1 (LE Coded only), header 2, payload, checksum 3
    guard frame.kind != .data else { return .notAdvertising }
    guard bytes.count &- frame.start >= 4 else { return .malformed }
    guard bytes.littleEndian(UInt32.self, at: frame.start) == accessAddress else {
      return .notAdvertising
    }
    let header = frame.start &+ (frame.phy == .leCoded ? 5 : 4)
    guard bytes.count &- header >= 2 else { return .malformed }
    let payload = header &+ 2
    let end = payload &+ Int(bytes[header &+ 1])
    if let isRight = frame.checksumIsRight {
      guard isRight else { return .wrongChecksum }
      guard end <= bytes.count else { return .malformed }
    } else {
      // A length that runs out of the frame was heard wrong.
      guard end &+ LinkLayerChecksum.count <= bytes.count else { return .wrongChecksum }
      let checksum = LinkLayerChecksum.checksum(of: bytes.extracting(header..<end))
      guard
        checksum == UInt32(bytes.littleEndian(UInt16.self, at: end))
          | UInt32(bytes[end &+ 2]) << 16
      else { return .wrongChecksum }
    }

    let pdu = AdvertisingPDU(
      type: bytes[header] & 0x0F, isRandomSender: bytes[header] & 0x40 != 0,
      isRandomTarget: bytes[header] & 0x80 != 0, payload: payload..<end)
    guard pdu.isAdvertisement else { return .notAdvertising }
    guard let report = pdu.report(bytes, frame: frame, time: time) else { return .malformed }
    reports.append(report)
    return .report
  }
}
