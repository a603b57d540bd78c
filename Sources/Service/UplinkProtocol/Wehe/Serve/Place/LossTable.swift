import LunaJSON

/// What a replay lost in intervals of several lengths, as servers of Wehe's tell each other (UPLINK.md, 7.1, 9).
struct LossTable: Hashable, Sendable {
  private struct Row: Hashable {
    /// When the interval ends, ms.
    let end: Int
    let share: Double
    let length: Double
  }

  /// No interval is shorter or longer, s.
  static let lengths = LossTick.seconds...RecordingLimits.seconds
  private static let columns = ["interval", "perf", "interval_size"]
  /// With fewer packets a share says nothing.
  private static let packets = 10

  private let rows: [Row]

  /// That of a replay with a server of ours.
  ///
  /// - Parameter lengths: s, each in ``lengths``.
  init(_ loss: ReplayLoss, lengths: [Double]) {
    var rows: [Row] = []
    for length in lengths {
      for number in 1...Samples.limit where rows.count < Samples.limit {
        let start = LossTable.tick(Double(number - 1) * length)
        guard start < loss.ticks.count, Double(number - 1) * length < loss.seconds else { break }
        let end = min(LossTable.tick(Double(number) * length), loss.ticks.count)
        let part = loss.ticks[start..<max(start, end)]
        let sent = part.reduce(0) { $0 + $1.sent }
        guard sent > 0, part.reduce(0, { $0 + $1.packets }) > LossTable.packets else { continue }
        let share = Double(part.reduce(0) { $0 + $1.lost }) / Double(sent)
        rows.append(
          Row(end: LossTable.milliseconds(Double(number) * length), share: share, length: length))
      }
    }
    self.rows = rows
  }

  /// What another server tells; nil where that is no such table.
  init?(_ json: JSONValue?) {
    guard let json, let fields = try? RecordingFields(json, "the table"),
      let columns = try? fields.array("columns").compactMap({ RecordingFields.text($0) }),
      let data = try? fields.array("data")
    else { return nil }
    let places = LossTable.columns.compactMap { columns.firstIndex(of: $0) }
    guard places.count == LossTable.columns.count else { return nil }
    var rows: [Row] = []
    for row in data {
      guard case .array(let cells) = row, cells.count == columns.count,
        let end = RecordingFields.number(cells[places[0]]),
        let share = RecordingFields.number(cells[places[1]]),
        let length = RecordingFields.number(cells[places[2]]),
        (0...2 * RecordingLimits.seconds).contains(end), (0...1).contains(share)
      else { return nil }
      rows.append(Row(end: LossTable.milliseconds(end), share: share, length: length))
    }
    self.rows = rows
  }

  /// It, for another server.
  var json: JSONValue {
    [
      "columns": .array(LossTable.columns.map { .string($0) }),
      "data": .array(
        rows.map { row in
          .array([.real(Double(row.end) / 1000), .real(row.share), .real(row.length)])
        }),
    ]
  }

  var isEmpty: Bool { rows.isEmpty }

  /// What was lost in the first interval of a length, as a share; 0 where nothing is known of it.
  func share(of length: Double) -> Double { rows.first { $0.length == length }?.share ?? 0 }

  /// How losses go along with those of another replay in intervals of a length; nil where that cannot be said. Several
  /// intervals in a row in which neither lost anything are one.
  func correlation(with other: LossTable, length: Double) -> Spearman? {
    let others = Dictionary(
      other.rows.filter { $0.length == length }.map { ($0.end, $0.share) },
      uniquingKeysWith: { first, _ in first })
    var shares: (own: [Double], other: [Double]) = ([], [])
    var wasClean = false
    for row in rows where row.length == length {
      guard let share = others[row.end] else { continue }
      let isClean = row.share == 0 && share == 0
      if !isClean || !wasClean {
        shares.own.append(row.share)
        shares.other.append(share)
      }
      wasClean = isClean
    }
    return try? Spearman(shares.own, shares.other, .greater)
  }

  private static func tick(_ time: Double) -> Int { Int((time / LossTick.seconds).rounded()) }

  private static func milliseconds(_ time: Double) -> Int { Int((time * 1000).rounded()) }
}
