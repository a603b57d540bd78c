import LunaFrames

extension HEID {
  /// Under the salt of the extraction.
  private static let extraction = HMACSHA256(key: Array("luna/1/report".utf8).span)
  /// The label of the expansion, and the number of its only block.
  private static let label = Array("heid".utf8) + [1]

  /// The HEID of a frame: HKDF of its eid and aotp (PROTOCOL.md, 3), which `ReportKeyDeriver` computes for whoever has
  /// LunaCrypto and needs the keys of the reports as well.
  init?(_ frame: LunaFrame) {
    let (eid, aotp) = (frame.eid.bytes, frame.aotp.bytes)
    let identifiers: InlineArray<15, UInt8> = InlineArray { $0 < 8 ? eid[$0] : aotp[$0 &- 8] }
    let key = HEID.extraction.code(for: identifiers.span)
    let block = HMACSHA256(key: key.span).code(for: HEID.label.span)
    self.init(block.span)
  }
}
