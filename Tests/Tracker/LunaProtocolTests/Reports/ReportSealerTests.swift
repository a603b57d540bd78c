import LunaProtocol
import LunaTesting
import Testing

struct ReportSealerTests {
  private func record(latitude: Double = 52.2) throws -> LocationRecord {
    try LocationRecord(
      ReportedLocation(collectedAt: 1_700_000_123_456, latitude: latitude, longitude: 21))
  }

  @Test func opensWhatItSealed() throws {
    var sealer = try ReportSealer()
    var random = Seeded(6)
    let record = try record()
    // Two frames in turn: the keys kept are those of the right one.
    for round in 0..<6 {
      let (eid, aotp) = (EID(value: UInt64(round % 2 + 1)), AOTP(value: 9))
      let report = sealer.seal(
        record, eid: eid, aotp: aotp, esf: Anchor.esf, random: random.inline())
      #expect(report.text.count == 84)
      let opened = try sealer.open(
        report.text, heid: report.heid, esf: Anchor.esf, eid: eid, aotp: aotp)
      #expect(opened == record)
    }
  }

  @Test func keysAreThoseOfTheFrameThatIsUsed() throws {
    let record = try record()
    let random = InlineArray<16, UInt8>(repeating: 5)
    let aotp = AOTP(value: 9)
    func fresh(_ eid: EID) throws -> SealedReport {
      var sealer = try ReportSealer()
      return sealer.seal(record, eid: eid, aotp: aotp, esf: Anchor.esf, random: random)
    }
    let (first, second) = (EID(value: 1), EID(value: 2))
    let reports = (try fresh(first), try fresh(second))
    var sealer = try ReportSealer()
    for _ in 0..<2 {
      _ = sealer.seal(record, eid: first, aotp: aotp, esf: Anchor.esf, random: random)
      // Looked for in vain, opened, sealed: each under another set of keys than the step before.
      #expect(throws: ReportRejection.heid) {
        try sealer.open(
          reports.0.text, heid: reports.0.heid, esf: Anchor.esf, eid: second, aotp: aotp)
      }
      let opened = try sealer.open(
        reports.0.text, heid: reports.0.heid, esf: Anchor.esf, eid: first, aotp: aotp)
      #expect(opened == record)
      let sealed = sealer.seal(record, eid: second, aotp: aotp, esf: Anchor.esf, random: random)
      #expect(sealed.text == reports.1.text)
    }
  }

  @Test func everyAlteredByteIsNoticed() throws {
    var sealer = try ReportSealer()
    let report = sealer.seal(
      try record(), eid: Anchor.eid, aotp: Anchor.aotp, esf: Anchor.esf,
      random: InlineArray(repeating: 0))
    #expect(report.heid == Anchor.heid)
    for index in 0..<SealedReport.byteCount {
      var bytes = array(report.encodedLocation)
      bytes[index] ^= 0x80
      #expect(throws: index == 0 ? ReportRejection.version : .auth) {
        try sealer.open(
          bytes.span, heid: Anchor.heid, esf: Anchor.esf, eid: Anchor.eid, aotp: Anchor.aotp)
      }
    }
  }

  @Test func aStuckGeneratorDoesNotRepeatANonce() throws {
    var sealer = try ReportSealer()
    let stuck = InlineArray<16, UInt8>(repeating: 0)
    func nonce(_ latitude: Double) throws -> [UInt8] {
      let report = sealer.seal(
        try record(latitude: latitude), eid: Anchor.eid, aotp: Anchor.aotp, esf: Anchor.esf,
        random: stuck)
      return Array(array(report.encodedLocation)[1..<13])
    }
    #expect(try nonce(1) != nonce(2))
    #expect(try nonce(1) == nonce(1))
  }

  @Test func randomBytesAreRefused() throws {
    var sealer = try ReportSealer()
    var random = Seeded(8)
    for count in 0..<130 {
      let bytes = random.bytes(count)
      #expect(throws: ReportRejection.self) {
        try sealer.open(
          bytes.span, heid: Anchor.heid, esf: Anchor.esf, eid: Anchor.eid, aotp: Anchor.aotp)
      }
    }
  }
}
