import Testing

@testable import Bluetooth

@Suite struct FragmentAssemblerTests {
  private func fragment(
    _ bytes: [UInt8], _ status: DataStatus, address: UInt64 = 1, sid: UInt8 = 0, time: Int64 = 0,
    scanResponse: Bool = false
  ) -> AdvertisingReport {
    var report = AdvertisingReport(
      time: Timestamp(microseconds: time), adapter: 0, address: BluetoothAddress(value: address),
      addressType: .random, payload: AdvertisingPayload(bytes), rssi: Int8(-50 - time))
    report.setExtendedEventType(scanResponse ? 0x08 : 0)
    report.sid = sid
    report.dataStatus = status
    return report
  }

  private func assemble(_ batches: [[AdvertisingReport]]) -> (
    reports: [AdvertisingReport], unfinished: UInt64
  ) {
    var assembler = FragmentAssembler()
    var counters = SourceCounters()
    var all: [AdvertisingReport] = []
    for var batch in batches {
      assembler.assemble(&batch, counters: &counters)
      all += batch
    }
    assembler.finish(counters: &counters)
    return (all, counters.unfinishedFragments)
  }

  @Test func joinsFragmentsAcrossBatches() {
    let result = assemble([
      [fragment([1], .incomplete, time: 1)], [fragment([2], .incomplete, time: 2)],
      [fragment([3], .complete, time: 3)],
    ])
    #expect(result.reports.map(\.payload.bytes) == [[1, 2, 3]])
    #expect(result.reports.first?.time.microseconds == 3)
    #expect(result.reports.first?.rssi == -53)
    #expect(result.reports.first?.dataStatus == .complete)
    #expect(result.unfinished == 0)
  }

  @Test func keepsAdvertisersAndSetsApart() {
    let result = assemble([
      [
        fragment([1], .incomplete, address: 1), fragment([11], .incomplete, address: 2),
        fragment([21], .incomplete, address: 1, sid: 5),
        fragment([31], .complete, address: 1, scanResponse: true),
        fragment([2], .complete, address: 1), fragment([12], .truncated, address: 2),
        fragment([22], .complete, address: 1, sid: 5),
      ]
    ])
    #expect(result.reports.map(\.payload.bytes) == [[31], [1, 2], [11, 12], [21, 22]])
    #expect(result.reports.map(\.dataStatus) == [.complete, .complete, .truncated, .complete])
  }

  @Test func countsWhatNeverEnds() {
    let result = assemble([[fragment([1], .incomplete), fragment([9], .complete, address: 9)]])
    #expect(result.reports.map(\.payload.bytes) == [[9]])
    #expect(result.unfinished == 1)
  }

  @Test func holdsABoundedNumber() {
    let many = (0..<100).map { fragment([1], .incomplete, address: UInt64($0)) }
    #expect(assemble([many]).unfinished == 100)
  }

  @Test func startsAnewWhenTheDataWouldBeTooLong() {
    let long = [UInt8](repeating: 7, count: 229)
    let result = assemble([
      (0..<8).map { _ in fragment(long, .incomplete) } + [fragment([1], .complete)]
    ])
    #expect(result.reports.map(\.payload.count) == [230])
    #expect(result.unfinished == 1)
  }

  @Test func leavesLegacyReportsAlone() {
    var legacy = fragment([5], .complete)
    legacy.setLegacyPDU(.advInd)
    #expect(assemble([[legacy, fragment([1], .incomplete), legacy]]).reports == [legacy, legacy])
  }
}
