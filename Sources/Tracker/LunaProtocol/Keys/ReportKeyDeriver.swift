public import LunaCrypto

/// Derives what whoever hears a frame can compute from its eid and aotp (PROTOCOL.md, 3): the HEID,
/// and the keys of the reports of that period. Keeps its contexts; one per thread.
public struct ReportKeyDeriver: ~Copyable, Sendable {
  /// Under the salt of the extraction.
  private var extractor: HMACSHA256
  /// Under the PRK that is being expanded.
  private var expander: HMACSHA256

  /// A deriver for any number of frames; the salt of version 1 is set up once.
  ///
  /// - Throws: ``LunaCrypto/CryptoError`` when libcrypto does not offer HMAC-SHA256.
  public init() throws(CryptoError) {
    let salt = Array("luna/1/report".utf8)
    let extractor = try HMACSHA256(key: salt.span)
    let expander = try HMACSHA256()
    self.extractor = extractor
    self.expander = expander
  }

  /// The HEID of a frame's identifiers.
  public mutating func heid(eid: EID, aotp: AOTP) -> HEID {
    var prk = prk(eid: eid, aotp: aotp)
    defer { wipe(&prk) }
    expander.setKey(prk.span)
    let block = expander.expand("heid")
    return HEID(
      high: block.span.bigEndian(at: 0, count: 8), low: block.span.bigEndian(at: 8, count: 8))
  }

  /// Another key of the frame whose HEID was asked for last.
  package mutating func expand(_ label: StaticString) -> InlineArray<32, UInt8> {
    expander.expand(label)
  }

  /// PRK_n = Extract("luna/1/report", EID_n | AOTP_n).
  package mutating func prk(eid: EID, aotp: AOTP) -> InlineArray<32, UInt8> {
    var message = InlineArray<15, UInt8>(repeating: 0)
    var span = message.mutableSpan
    span.setBigEndian(eid.value, at: 0, count: EID.byteCount)
    span.setBigEndian(aotp.value, at: EID.byteCount, count: AOTP.byteCount)
    return extractor.code(for: message.span)
  }
}
