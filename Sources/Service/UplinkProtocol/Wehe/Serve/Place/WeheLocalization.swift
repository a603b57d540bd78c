package import LunaJSON

/// What a server of ours says of a place, the original's way (UPLINK.md, 7.1, 9).
package struct WeheLocalization: Sendable {
  /// What is known of a replay, here or at another server; nil for nothing.
  package typealias Source =
    @Sendable (WeheQuestion.Replay, WeheMeasurement) async -> JSONValue?

  /// So many intervals of all lengths are compared at most: the shares of more are no answer of a server.
  private static let mostIntervals = 4_000.0
  /// An interval has at least so many ticks: the network's answers do not come one by one.
  private static let leastTicks = 2.0

  private let question: WeheQuestion
  private let variations: [Double]
  private let source: Source

  /// A localization.
  ///
  /// - Parameter variations: what replays usually differ by, percent; none where nobody knows.
  package init(_ question: WeheQuestion, variations: [Double], source: @escaping Source) {
    self.question = question
    self.variations = variations
    self.source = source
  }

  /// Makes it: what can be said, under the names of the original's tests.
  package func response() async -> JSONValue {
    let found = [
      ("pairsum_vs_single_xput", await throughput()), ("loss_correlation", await losses()),
    ]
    var response: JSONObject = [
      "userID": .string(question.user),
      "historyCounts": .array(question.both.map { .integer(Int64($0.history)) }), "testID": "0",
      "localization_tests": .array(found.filter { $0.1 != nil }.map { .string($0.0) }),
    ]
    for (name, value) in found {
      if let value { response.append(name, value) }
    }
    return .object(response)
  }

  private func throughput() async -> JSONValue? {
    guard let single = await rates(question.single), let first = await rates(question.both[0]),
      let second = await rates(question.both[1]),
      let variation = try? ThroughputVariation(
        single: single, first: first, second: second, variations: variations)
    else { return nil }
    let sums = zip(first, second).map { $0 + $1 }
    return [
      "mwuVal": .real(variation.test.statistic), "mwuPVal": .real(variation.test.p),
      "simReplaysAvgXput": [.real(Samples.mean(first)), .real(Samples.mean(second))],
      "simReplaySumAvgXput": .real(Samples.mean(sums)),
      "singleReplayAvgXput": .real(Samples.mean(single)),
    ]
  }

  private func rates(_ replay: WeheQuestion.Replay) async -> [Double]? {
    guard let json = await source(replay, .rates) else { return nil }
    return try? ReplaySamples(json: json, name: "samples").rates
  }

  private func losses() async -> JSONValue? {
    var times: [(roundTrip: Double, seconds: Double)] = []
    for replay in question.both {
      guard let json = await source(replay, .times),
        let fields = try? RecordingFields(json, "times"),
        let roundTrip = try? fields.number("minRtt", in: 0...RecordingLimits.seconds),
        let seconds = try? fields.number("duration", in: LossTable.lengths)
      else { return nil }
      times.append((roundTrip, seconds))
    }
    let seconds = min(times[0].seconds, times[1].seconds)
    let lengths = WeheLocalization.lengths(
      roundTrip: max(times[0].roundTrip, times[1].roundTrip), duration: seconds)
    guard !lengths.isEmpty else { return nil }
    var tables: [LossTable] = []
    for replay in question.both {
      guard let table = LossTable(await source(replay, .losses(lengths + [seconds]))) else {
        return nil
      }
      tables.append(table)
    }
    let found = lengths.compactMap { length in
      tables[0].correlation(with: tables[1], length: length).map { (length: length, p: $0.p) }
    }
    return [
      "intervalSizes": .array(found.map { .real($0.length) }),
      "corrPValues": .array(found.map { .real($0.p) }),
      "simReplaysAvgLoss": .array(tables.map { .real($0.share(of: seconds)) }),
    ]
  }

  /// The lengths of intervals, s: those of the original that are long enough to be measured, fewer where they would be
  /// very many intervals.
  static func lengths(roundTrip: Double, duration: Double) -> [Double] {
    var lengths: [Double] = []
    for length in LossIntervals.lengths(roundTrip: roundTrip, duration: duration)
    where length >= leastTicks * LossTick.seconds && length != lengths.last {
      lengths.append(length)
    }
    while lengths.reduce(0, { $0 + duration / $1 }) > mostIntervals {
      lengths = lengths.enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
    }
    return lengths
  }
}
