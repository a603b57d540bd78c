import Bluetooth
import LunaCore
import LunaCrypto
import LunaLocal
import LunaProtocol

/// Rows 6 to 8: the index of identifiers.
enum TableBenchmarks {
  private static let devices = 100_000
  private static let periods = PeriodRange(first: 1_660_000, last: 1_660_096)

  static func luna() {
    var generator = SeededGenerator(state: 6)
    let batches = (0..<devices).map { number in
      EIDIndex.Batch(
        device: UInt32(number), identification: generator.secret(32), periods: periods)
    }
    var size = 0
    let (wall, processor) = measure(runs: 5) {
      var index = EIDIndex()
      index.insert(batches)
      precondition(index.count == devices * periods.count)
      size = index.byteCount
    }
    Measurement(
      row: 6, name: "EID table, 100,000 LunaTrackers x 97 periods", value: wall, unit: "s",
      details: [("cpu_s", processor), ("table_mib", Double(size) / 1_048_576)]
    ).report()
  }

  static func eddystone() throws {
    var generator = SeededGenerator(state: 7)
    let keys = (0..<devices).map { _ in generator.secret(16) }
    let (wall, processor) = try measure(runs: 5) {
      var deriver = try EddystoneEIDDeriver()
      var index = EIDIndex(capacity: devices * periods.count)
      var entries: [EIDIndex.Entry] = []
      entries.reserveCapacity(64 * periods.count)
      for (number, key) in keys.enumerated() {
        try deriver.eids(key, rotations: periods, exponent: 10) { period, eid in
          entries.append(
            EIDIndex.Entry(key: eid.value, device: UInt32(number), period: period))
        }
        if number % 64 == 63 || number == keys.count - 1 {
          index.insert(entries.span)
          entries.removeAll(keepingCapacity: true)
        }
      }
      precondition(index.count == devices * periods.count)
    }
    Measurement(
      row: 7, name: "EID table, 100,000 Eddystone-EID x 97 periods", value: wall, unit: "s",
      details: [("cpu_s", processor)]
    ).report()
  }

  static func lookUps() {
    var generator = SeededGenerator(state: 8)
    var index = EIDIndex(capacity: 1_000_000)
    var keys: [UInt64] = []
    for number in 0..<1_000_000 {
      let key = generator.next()
      index.insert(EIDIndex.Entry(key: key, device: UInt32(number), period: 0))
      keys.append(key)
    }
    let queries = (0..<(1 << 22)).map { number in
      number % 2 == 0 ? keys[Int(generator.next() % 1_000_000)] : generator.next()
    }
    var hits = 0
    let (wall, _) = measure(runs: 5) {
      hits = 0
      for query in queries where index.first(query) != nil { hits += 1 }
    }
    precondition(hits >= queries.count / 2)
    Measurement(
      row: 8, name: "EID look-up among 1,000,000 entries, half hits",
      value: Double(queries.count) / wall / 1e6, unit: "M/s",
      details: [("table_mib", Double(index.byteCount) / 1_048_576)]
    ).report()
  }
}
