public import LunaCrypto

/// Seals and opens location reports (PROTOCOL.md, 9.2). Keeps its contexts, and the keys of the last
/// frame: reports of one tracker in one period cost no derivation. One per thread.
public struct ReportSealer: ~Copyable, Sendable {
  private var deriver: ReportKeyDeriver
  /// Under Knon of the last frame, once it sealed something.
  private var nonces: HMACSHA256
  /// Under Kloc of the last frame, once it sealed or opened something.
  private var cipher: AES256GCM
  private var last: (eid: EID, aotp: AOTP, heid: HEID)?
  private var hasCipherKey = false
  private var hasNonceKey = false

  /// A sealer.
  ///
  /// - Throws: ``LunaCrypto/CryptoError`` when libcrypto does not offer an algorithm.
  public init() throws(CryptoError) {
    let zero = InlineArray<32, UInt8>(repeating: 0)
    let deriver = try ReportKeyDeriver()
    let nonces = try HMACSHA256()
    let cipher = try AES256GCM(key: zero.span)
    self.deriver = deriver
    self.nonces = nonces
    self.cipher = cipher
  }

  /// Seals a location for a frame that was heard.
  ///
  /// - Parameters:
  ///   - esf: the status field of the frame.
  ///   - random: fresh from the system's generator.
  public mutating func seal(
    _ record: LocationRecord, eid: EID, aotp: AOTP, esf: ESF, random: InlineArray<16, UInt8>
  ) -> SealedReport {
    seal(plaintext: record.encoded, eid: eid, aotp: aotp, esf: esf, random: random)
  }

  /// Opens a report.
  ///
  /// - Parameters:
  ///   - bytes: format, nonce, ciphertext and tag.
  ///   - heid: under which it was stored.
  ///   - esf: the status field that came with it.
  ///   - eid: EID_b of the period that the heid stands for, and `aotp` AOTP_b.
  /// - Throws: the first test that failed.
  public mutating func open(
    _ bytes: Span<UInt8>, heid: HEID, esf: ESF, eid: EID, aotp: AOTP
  ) throws(ReportRejection) -> LocationRecord {
    guard bytes.count == SealedReport.byteCount else { throw .length }
    guard bytes[0] == 1 else { throw .version }
    let expected = use(eid, aotp)
    guard constantTimeEqual(expected.bytes.span, heid.bytes.span) else { throw .heid }
    prepareCipher()
    let nonce = InlineArray<12, UInt8> { bytes[1 + $0] }
    var plaintext = InlineArray<32, UInt8>(repeating: 0)
    var output = plaintext.mutableSpan
    let isAuthentic = cipher.open(
      bytes.extracting(13...), nonce: nonce,
      associatedData: ReportSealer.associatedData(heid: heid, esf: esf).span, into: &output)
    guard isAuthentic else { throw .auth }
    do throws(LocationRejection) {
      return try LocationRecord(decoding: plaintext.span)
    } catch {
      throw .location(error)
    }
  }

  /// Opens a report in base64.
  ///
  /// - Throws: `base64`, and as ``open(_:heid:esf:eid:aotp:)-(Span<UInt8>,_,_,_,_)``.
  public mutating func open(
    _ text: some StringProtocol, heid: HEID, esf: ESF, eid: EID, aotp: AOTP
  ) throws(ReportRejection) -> LocationRecord {
    guard let bytes = Base64.decode(text) else { throw .base64 }
    return try open(bytes.span, heid: heid, esf: esf, eid: eid, aotp: aotp)
  }

  /// ``seal(_:eid:aotp:esf:random:)`` for any 32 bytes.
  package mutating func seal(
    plaintext: InlineArray<32, UInt8>, eid: EID, aotp: AOTP, esf: ESF,
    random: InlineArray<16, UInt8>
  ) -> SealedReport {
    let heid = use(eid, aotp)
    prepareCipher()
    prepareNonces()
    var message = InlineArray<48, UInt8>(repeating: 0)
    var messageSpan = message.mutableSpan
    messageSpan.set(random.span, at: 0)
    messageSpan.set(plaintext.span, at: 16)
    let code = nonces.code(for: message.span)
    let nonce = InlineArray<12, UInt8> { code[$0] }
    var sealed = InlineArray<48, UInt8>(repeating: 0)
    var output = sealed.mutableSpan
    cipher.seal(
      plaintext.span, nonce: nonce,
      associatedData: ReportSealer.associatedData(heid: heid, esf: esf).span, into: &output)
    var encoded = InlineArray<61, UInt8>(repeating: 1)
    var span = encoded.mutableSpan
    span.set(nonce.span, at: 1)
    span.set(sealed.span, at: 13)
    return SealedReport(heid: heid, esf: esf, encodedLocation: encoded)
  }

  /// "luna/1/report" | 01 | HEID | ESF
  package static func associatedData(heid: HEID, esf: ESF) -> InlineArray<33, UInt8> {
    var bytes: InlineArray<33, UInt8> = [
      0x6C, 0x75, 0x6E, 0x61, 0x2F, 0x31, 0x2F, 0x72, 0x65, 0x70, 0x6F, 0x72, 0x74, 0x01,
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    ]
    var span = bytes.mutableSpan
    span.setBigEndian(heid.high, at: 14, count: 8)
    span.setBigEndian(heid.low, at: 22, count: 8)
    span.setBigEndian(UInt64(esf.value), at: 30, count: ESF.byteCount)
    return bytes
  }

  /// Turns to a frame, and gives its heid. Its keys are derived when they are needed: to look for the
  /// frame of a report takes none, to open it takes one.
  private mutating func use(_ eid: EID, _ aotp: AOTP) -> HEID {
    if let last, last.eid == eid, last.aotp == aotp { return last.heid }
    let heid = deriver.heid(eid: eid, aotp: aotp)
    last = (eid, aotp, heid)
    hasCipherKey = false
    hasNonceKey = false
    return heid
  }

  /// Sets Kloc of the frame.
  private mutating func prepareCipher() {
    guard !hasCipherKey else { return }
    var key = deriver.expand("loc")
    defer { wipe(&key) }
    cipher.setKey(key)
    hasCipherKey = true
  }

  /// Sets Knon of the frame.
  private mutating func prepareNonces() {
    guard !hasNonceKey else { return }
    var key = deriver.expand("nonce")
    defer { wipe(&key) }
    nonces.setKey(key.span)
    hasNonceKey = true
  }
}
