import Bluetooth
import Captures
import LunaTesting
import Testing

@Suite struct RecordedCaptureTests {
  @Test(arguments: CaptureData.all)
  func readsEveryRecord(_ data: CaptureData) async throws {
    let source = CaptureFileSource(path: data.path)
    try await source.start()
    var reports: [AdvertisingReport] = []
    while let batch = try await source.nextBatch() { reports += batch }
    #expect(reports.count == data.reports)
    #expect(source.counters.reports == UInt64(data.reports))
    #expect(source.counters.packets == data.packets)
    #expect(source.counters.checksumErrors == data.wrongChecksums)
    #expect(source.counters.damagedRecords == 0)
    #expect(source.diagnostics.total == source.counters.overrunEvents)
    // In pieces of any size it is the same.
    let bytes = try data.bytes()
    for chunk in [1, 1000, 4096] where chunk > 1 || bytes.count < 50_000 {
      #expect(Decoded(bytes, chunk: chunk).reports == reports)
    }
  }

  @Test(arguments: CaptureData.all)
  func readsEveryPrefix(_ data: CaptureData) throws {
    let bytes = try data.bytes()
    let whole = Decoded(bytes).reports
    let boundaries = try Decoded.boundaries(bytes)
    let start = try #require(boundaries.first).offset
    let step = max(1, bytes.count / 40)
    let counts =
      Array(0..<min(2048, bytes.count)) + Array(stride(from: 2048, to: bytes.count, by: step))
    for count in counts {
      let prefix = Decoded(Array(bytes[..<count]))
      guard let last = boundaries.last(where: { $0.offset <= count }), count > start else {
        // Nothing but headers, or parts of them.
        #expect(prefix.reports.isEmpty)
        #expect(prefix.error == nil || prefix.error?.kind == .unreadable)
        continue
      }
      // Exactly the whole records, and the damage where the cut one starts.
      guard last.offset > start else {
        #expect(prefix.error?.kind == .unreadable, "at \(count)")
        continue
      }
      #expect(prefix.error == nil && prefix.isExhausted)
      #expect(prefix.reports.count == last.reports, "at \(count)")
      #expect(prefix.reports == Array(whole.prefix(prefix.reports.count)))
      let isCut = last.offset < count
      #expect(prefix.diagnostics.count(of: .truncated) == (isCut ? 1 : 0), "at \(count)")
      if isCut, prefix.diagnostics.total == 1 {
        #expect(prefix.diagnostics.firstOffset >= UInt64(last.offset))
      }
    }
  }

  /// Every bit of the first records, and many others at random.
  @Test(arguments: CaptureData.all)
  func survivesFlippedBits(_ data: CaptureData) throws {
    let bytes = try data.bytes()
    let whole = Decoded(bytes)
    var generator = Seeded(1)
    // Large files are cut: what happens in a record does not depend on the size of the file.
    let part = bytes.count > 30_000 ? Array(bytes[..<30_000]) : bytes
    let expected = Decoded(part).counters
    for round in 0..<400 {
      var damaged = part
      let bit = round < 200 ? round : Int.random(in: 0..<part.count * 8, using: &generator)
      guard bit / 8 < damaged.count else { break }
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      let file = Decoded(damaged)
      if let error = file.error {
        // Only a flip in the first bytes can make a file unreadable.
        #expect(error.kind == .unreadable)
        #expect(bit / 8 < 300, "\(error) for bit \(bit)")
        continue
      }
      #expect(file.isExhausted)
      // One flip costs a few records at most: those that a wrong length swallowed.
      let isSmallLoss = file.counters.packets + 400 >= expected.packets
      #expect(isSmallLoss, "bit \(bit): \(file.counters.packets) of \(expected.packets)")
      if file.counters.packets + 2 < expected.packets {
        #expect(file.diagnostics.total > 0, "bit \(bit)")
      }
    }
    // Many flips at once, up to noise.
    for share in [1000, 100, 10, 1] {
      var damaged = bytes
      for _ in 0..<bytes.count / share {
        damaged[Int.random(in: 0..<bytes.count, using: &generator)] ^=
          UInt8.random(in: 1...255, using: &generator)
      }
      let file = Decoded(damaged)
      #expect(file.error?.kind == .unreadable || file.isExhausted)
      #expect(file.counters.packets <= whole.counters.packets + 50)
    }
  }
}
