public import LunaCrypto

/// Derives what whoever hears a frame can compute from its eid and aotp (PROTOCOL.md, 3): the HEID,
/// and the keys of the reports of that period. Keeps its contexts; one per thread.
public struct ReportKeyDeriver: ~Copyable, Sendable {
  /// Keyed with the salt of the extraction.
  private var extract: HMACSHA256
  /// Keyed with whatever PRK is being expanded.
  private var expand: HMACSHA256

  /// A deriver.
  ///
  /// - Throws: ``CryptoError`` when libcrypto does not offer HMAC-SHA256.
  public init() throws(CryptoError) {
    let salt = Array("luna/1/report".utf8)
    let extract = try HMACSHA256(key: salt.span)
    let expand = try HMACSHA256()
    self.extract = extract
    self.expand = expand
  }

  /// The HEID of a frame's identifiers.
  public mutating func heid(eid: EID, aotp: AOTP) -> HEID {
    var prk = prk(eid: eid, aotp: aotp)
    defer { wipe(&prk) }
    expand.setKey(prk.span)
    let bytes = expand.expand("heid")
    return HEID(
      high: bytes.span.bigEndian(at: 0, count: 8), low: bytes.span.bigEndian(at: 8, count: 8))
  }

  private mutating func prk(eid: EID, aotp: AOTP) -> InlineArray<32, UInt8> {
    extract.update(eid.bytes.span)
    return extract.code(for: aotp.bytes.span)
  }
}
