import LunaJSON
import Testing

@testable import UplinkProtocol

/// What a server of ours reads of connections that lose, and tells others of it.
struct LossTableTests {
  /// A replay over one connection: in each tick so many packets of 1,000 bytes, of which some go again.
  static func loss(_ ticks: [(packets: Int, lost: Int)], roundTrip: Double = 0.02) -> ReplayLoss {
    var loss = ReplayLoss()
    func counters(_ packets: Int, _ lost: Int) -> FlowCounters {
      FlowCounters(
        acknowledged: packets * 1_000, sent: packets * 1_000, retransmitted: lost * 1_000,
        packets: packets, leastRoundTrip: roundTrip)
    }
    var (packets, lost) = (0, 0)
    for (index, tick) in ticks.enumerated() {
      let last = counters(packets, lost)
      packets += tick.packets
      lost += tick.lost
      let time = (Double(index) + 0.5) * LossTick.seconds
      loss.look(counters(packets, lost), after: last, at: time)
    }
    return loss
  }

  private func data(_ table: LossTable) -> JSONValue? {
    guard case .object(let object) = table.json else { return nil }
    let columns: JSONValue = ["interval", "perf", "interval_size"]
    #expect(object["columns"] == columns)
    return object["data"]
  }

  @Test func connectionsAreAddedTickByTick() {
    var loss = Self.loss([(20, 0), (20, 5), (0, 0), (10, 1)])
    #expect(loss.ticks.map(\.sent) == [20_000, 20_000, 0, 10_000])
    #expect(loss.ticks.map(\.lost) == [0, 5_000, 0, 1_000])
    #expect(abs(loss.seconds - 0.0175) < 1e-9 && loss.leastRoundTrip == 0.02)
    // Another one, which knows a shorter way.
    let start = FlowCounters(
      acknowledged: 0, sent: 0, retransmitted: 0, packets: 0, leastRoundTrip: nil)
    let end = FlowCounters(
      acknowledged: 0, sent: 3_000, retransmitted: 0, packets: 3, leastRoundTrip: 0.01)
    loss.look(end, after: start, at: 0.006)
    #expect(loss.ticks[1] == LossTick(sent: 23_000, lost: 5_000, packets: 23))
    #expect(loss.leastRoundTrip == 0.01)
    // While nothing goes no time is counted, and none before the beginning or for ever.
    for time in [0.5, -1, 60, .nan] { loss.look(end, after: end, at: time) }
    #expect(abs(loss.seconds - 0.0175) < 1e-9)
    for time in [-1, 60, .infinity] { loss.look(end, after: start, at: time) }
    #expect(loss.ticks.count == 4)
  }

  /// Intervals end where the original's do; with ten packets or fewer they say nothing.
  @Test func sharesAreThoseOfIntervals() {
    let loss = Self.loss([(10, 0), (10, 5), (5, 0), (5, 5), (10, 0), (10, 1), (30, 0)])
    let table = LossTable(loss, lengths: [0.01, 0.02, 0.0325])
    let rows: JSONValue = [
      [.real(0.01), .real(0.25), .real(0.01)], [.real(0.03), .real(0.05), .real(0.01)],
      [.real(0.04), .real(0), .real(0.01)],
      [.real(0.02), .real(1.0 / 3), .real(0.02)], [.real(0.04), .real(0.02), .real(0.02)],
      [.real(0.033), .real(0.1375), .real(0.0325)],
    ]
    #expect(data(table) == rows)
    #expect(table.share(of: 0.0325) == 0.1375 && table.share(of: 7) == 0)
    #expect(LossTable(ReplayLoss(), lengths: [0.01]).isEmpty)
  }

  @Test func aTableIsReadAsItIsWritten() {
    let table = LossTable(Self.loss([(20, 3), (20, 0), (20, 1)]), lengths: [0.005, 0.01])
    #expect(LossTable(table.json) == table)
    // In whatever order the columns are.
    let other: JSONValue = [
      "columns": ["perf", "x", "interval_size", "interval"],
      "data": [[.real(0.15), .null, .real(0.01), "0.01"]],
    ]
    #expect(LossTable(other)?.share(of: 0.01) == 0.15)
    let columns: JSONValue = ["interval", "perf", "interval_size"]
    let wrong: [JSONValue?] = [
      nil, .null, ["columns": columns], ["columns": ["interval", "perf"], "data": []],
      ["columns": columns, "data": [[1, 0]]], ["columns": columns, "data": [[1, 2, 1]]],
      ["columns": columns, "data": [[.real(1e300), 0, 1]]],
      ["columns": columns, "data": [[-1, 0, 1]]], ["columns": columns, "data": [["nan", 0, 1]]],
    ]
    for json in wrong { #expect(LossTable(json) == nil) }
  }

  /// Only what both have counts, and a clean stretch of both is one.
  @Test func lossesGoAlongWithThoseOfAnother() throws {
    let ticks = (0..<40).map { (packets: 20, lost: $0 % 4 == 0 ? $0 / 4 : 0) }
    let table = LossTable(Self.loss(ticks), lengths: [0.005])
    let same = try #require(table.correlation(with: table, length: 0.005))
    #expect(same.statistic == 1 && same.p < 1e-6)
    let back = ticks.reversed().map { (packets: 20, lost: $0.lost) }
    let other = LossTable(Self.loss(Array(back)), lengths: [0.005])
    let against = table.correlation(with: other, length: 0.005)
    #expect((against?.p ?? 1) > 0.05)
    #expect(table.correlation(with: table, length: 0.01) == nil)
    let clean = LossTable(Self.loss((0..<40).map { _ in (packets: 20, lost: 0) }), lengths: [0.005])
    #expect(clean.correlation(with: clean, length: 0.005) == nil)
  }
}
