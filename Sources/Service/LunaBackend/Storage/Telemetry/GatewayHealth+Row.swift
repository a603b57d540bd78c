import Bluetooth
import LunaCore
import LunaJSON
import LunaWire

extension GatewayHealth {
  /// The columns gateway, time, verdict, reasons and report.
  init?(_ row: StorageRow) {
    guard let json = try? JSONReader.read(Array(row.text(4).utf8)),
      let report = try? HealthReport(json: json)
    else { return nil }
    self.init(
      gateway: row.text(0), time: Timestamp(microseconds: row.integer(1)),
      verdict: HealthVerdict(rawValue: row.text(2)) ?? .unknown,
      reasons: row.text(3).split(separator: " ").compactMap {
        HealthReason.Code(rawValue: String($0))
      }, report: report)
  }
}

extension TelemetrySums {
  /// The columns hour, count, sum, low, high and buckets.
  init(_ row: StorageRow) {
    self.init()
    count = row.integer(1)
    sum = row.optionalReal(2) ?? 0
    low = row.optionalReal(3)
    high = row.optionalReal(4)
    counts = TelemetrySums.counts(row.bytes(5))
  }
}
