import LunaCrypto
import LunaProtocol
import Testing

struct KeyScheduleTests {
  @Test func batchesAreWhatSingleDerivationsAre() throws {
    var schedule = try KeySchedule()
    let keys = try Anchor.keys()
    var batch: [(UInt32, EID)] = []
    let periods = PeriodRange(first: Anchor.period - 3, last: Anchor.period + 5)
    schedule.eids(keys.identification, periods: periods) { batch.append(($0, $1)) }
    #expect(batch.map(\.0) == Array(periods.first...periods.last))
    for (period, eid) in batch {
      #expect(schedule.eid(keys.identification, period: period) == eid)
    }
    #expect(batch[3].1 == Anchor.eid)
  }

  @Test func batchesReachTheLastPeriodAndMayBeEmpty() throws {
    var schedule = try KeySchedule()
    let keys = try Anchor.keys()
    var count = 0
    schedule.eids(
      keys.identification, periods: PeriodRange(first: .max - 1, last: .max)
    ) { _, _ in count += 1 }
    #expect(count == 2)
    schedule.eids(keys.identification, periods: PeriodRange(first: 2, last: 1)) { _, _ in
      count += 1
    }
    #expect(count == 2)
  }

  @Test func heidNeedsBothIdentifiers() throws {
    var reports = try ReportKeyDeriver()
    #expect(reports.heid(eid: Anchor.eid, aotp: Anchor.aotp) == Anchor.heid)
    #expect(reports.heid(eid: Anchor.eid, aotp: AOTP(value: 1)) != Anchor.heid)
    #expect(reports.heid(eid: EID(value: 1), aotp: Anchor.aotp) != Anchor.heid)
  }

  @Test func masterKeysHave32Bytes() throws {
    #expect(try Anchor.masterKey().revealed == Anchor.masterKeyText)
    for count in [0, 31, 33, 64] {
      let bytes = [UInt8](repeating: 1, count: count)
      #expect(MasterKey(SecretBytes(copying: bytes.span)) == nil)
    }
  }

  @Test func secretsDoNotShow() throws {
    let key = try Anchor.masterKey()
    let keys = try Anchor.keys()
    var dumped = ""
    dump((key, keys), to: &dumped)
    for text in ["\(key)", "\(keys)", String(reflecting: (key, keys)), dumped] {
      #expect(!text.contains("000102"))
      #expect(!text.contains("60df1521"), "the branch Kid")
      #expect(!text.contains("[0, 1, 2"))
    }
  }
}
