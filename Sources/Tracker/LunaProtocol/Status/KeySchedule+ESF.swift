public import LunaCrypto

extension KeySchedule {
  /// Hides a status (PROTOCOL.md, 8).
  ///
  /// - Parameter botp: BOTP_b of the period on air.
  public mutating func sealStatus(_ status: TrackerStatus, botp: SecretBytes) -> ESF {
    useStatusKey(botp)
    let tag = statusTag(status.rawValue)
    return ESF(value: UInt32(tag) << 8 | UInt32(status.rawValue ^ statusPad(tag)))
  }

  /// Reads a hidden status.
  ///
  /// - Parameter botp: BOTP_b of the period in which the frame was heard.
  /// - Throws: `auth` or `reservedBit`.
  public mutating func openStatus(
    _ esf: ESF, botp: SecretBytes
  ) throws(ESFRejection) -> TrackerStatus {
    useStatusKey(botp)
    return try openStatus(esf)
  }

  /// Reads a hidden status with what an owner shares of a period (SHARING.md, 1).
  ///
  /// - Parameter statusKey: Kesf_b of the period in which the frame was heard.
  /// - Throws: `auth` or `reservedBit`.
  public mutating func openStatus(
    _ esf: ESF, statusKey: SecretBytes
  ) throws(ESFRejection) -> TrackerStatus {
    use(statusKey)
    return try openStatus(esf)
  }

  private mutating func openStatus(_ esf: ESF) throws(ESFRejection) -> TrackerStatus {
    let tag = UInt16(truncatingIfNeeded: esf.value >> 8)
    let byte = UInt8(truncatingIfNeeded: esf.value) ^ statusPad(tag)
    // One comparison of integers: its time does not tell how many bits were right.
    guard statusTag(byte) == tag else { throw .auth }
    guard let status = TrackerStatus(rawValue: byte) else { throw .reservedBit }
    return status
  }

  /// Reads a hidden status from bytes as they came.
  ///
  /// - Throws: `length` when there are not 3 bytes, and as ``openStatus(_:botp:)``.
  public mutating func openStatus(
    _ bytes: Span<UInt8>, botp: SecretBytes
  ) throws(ESFRejection) -> TrackerStatus {
    guard bytes.count == ESF.byteCount, let esf = ESF(bytes) else { throw .length }
    return try openStatus(esf, botp: botp)
  }

  private mutating func useStatusKey(_ botp: SecretBytes) {
    use(botp)
    var key = hmac.expand("esf")
    defer { wipe(&key) }
    hmac.setKey(key.span)
  }

  private mutating func statusTag(_ status: UInt8) -> UInt16 {
    let message: InlineArray<2, UInt8> = [1, status]
    return UInt16(
      truncatingIfNeeded: hmac.code(for: message.span).span.bigEndian(at: 0, count: 2))
  }

  private mutating func statusPad(_ tag: UInt16) -> UInt8 {
    let message: InlineArray<3, UInt8> = [
      2, UInt8(truncatingIfNeeded: tag >> 8), UInt8(truncatingIfNeeded: tag),
    ]
    return hmac.code(for: message.span)[0]
  }
}
