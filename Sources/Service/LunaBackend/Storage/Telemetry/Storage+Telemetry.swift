import Bluetooth
import LunaCore
import LunaJSON
import LunaWire

extension Storage {
  /// How long an item is known by its name, µs.
  private var telemetryLifetime: Int64 { 8 * 86_400_000_000 }
  /// How long the sums of hours are kept, h.
  private var sumLifetime: Int64 { 400 * 24 }
  /// How many rows are dropped in one transaction: uploads come between them.
  private var pruneCount: Int64 { 2000 }

  /// Keeps items, each once, and adds up what is accepted.
  ///
  /// - Returns: for each whether its name was not used before.
  func add(_ telemetry: NewTelemetry, at now: Timestamp) async throws(StorageError) -> [Bool] {
    guard !telemetry.items.isEmpty else { return [] }
    let digests = try telemetry.digests()
    // To the hour: beside it stands to the microsecond when each gateway told how it is. The one that has not ended, so
    // that no name is forgotten too early.
    let received = SampleStep.hour.start(of: now) + SampleStep.hour.width
    return try await transaction { store throws(StorageError) in
      var isNew: [Bool] = []
      var sums: [TelemetryHour: TelemetrySums] = [:]
      for (item, digest) in zip(telemetry.items, digests) {
        let isGood = item.rejection == nil
        let added = try store.change(
          """
          INSERT INTO luna.telemetry(id, received, time, key, value, count)
          VALUES($1, $2, $3, $4, $5, $6) ON CONFLICT(id) DO NOTHING
          """,
          [
            .bytes(digest), .integer(received), .integer(item.time.microseconds),
            .text(isGood ? item.key : ""), .text(isGood ? item.value : ""), .integer(item.count),
          ])
        isNew.append(added > 0)
        guard added > 0, isGood else { continue }
        sums[TelemetryHour(key: item.key, item.time), default: .init()].add(
          item.value, count: item.count)
      }
      for (hour, sum) in sums.sorted(by: { $0.key < $1.key }) { try store.add(sum, of: hour) }
      return isNew
    }
  }

  /// Notes how a gateway is, and what is wrong with it.
  ///
  /// - Returns: what is known of it now.
  @discardableResult func note(
    _ report: HealthReport, of gateway: String, at now: Timestamp, limits: HealthLimits = .init()
  ) async throws(StorageError) -> GatewayHealth {
    try await transaction(isSerial: false) { store throws(StorageError) in
      let past = try store.past(of: gateway, at: now)
      let reasons = HealthRules.reasons(report, past: past, limits: limits)
      let health = GatewayHealth(
        gateway: gateway, time: now, verdict: HealthRules.verdict(reasons),
        reasons: reasons.map(\.code), report: report)
      try store.change(
        """
        INSERT INTO luna.health(gateway, time, verdict, reasons, report) VALUES($1, $2, $3, $4, $5)
        ON CONFLICT(gateway) DO UPDATE SET time = excluded.time, verdict = excluded.verdict,
        reasons = excluded.reasons, report = excluded.report
        """,
        [
          .text(gateway), .integer(now.microseconds), .text(health.verdict.rawValue),
          .text(health.reasons.map(\.rawValue).joined(separator: " ")),
          .text(report.json.description),
        ])
      return health
    }
  }

  /// Keeps samples of a gateway, each time once. Those of other times than the last eight days are none.
  func add(
    _ samples: [HealthSample], of gateway: String, at now: Timestamp
  ) async throws(StorageError) {
    let range = now.microseconds - telemetryLifetime...now.microseconds + 600_000_000
    let good = samples.filter { range.contains($0.time.microseconds) }
    guard !good.isEmpty else { return }
    try await transaction(isSerial: false) { store throws(StorageError) in
      for sample in good.sorted(by: { $0.time < $1.time }) {
        try store.add(StoredSample(sample.health), at: sample.time, of: gateway)
      }
    }
  }

  /// How gateways are that ever told it, by name.
  public func healths() async throws(StorageError) -> [GatewayHealth] {
    try await read { store throws(StorageError) in
      try store.rows(
        "SELECT gateway, time, verdict, reasons, report FROM luna.health ORDER BY gateway"
      ).compactMap(GatewayHealth.init)
    }
  }

  /// When gateways told last how they are, by name, and how those are that told it at another time than is
  /// known.
  func healths(
    unlike known: [String: Timestamp]
  ) async throws(StorageError) -> (times: [String: Timestamp], changed: [GatewayHealth]) {
    try await read { store throws(StorageError) in
      var times: [String: Timestamp] = [:]
      for row in try store.rows("SELECT gateway, time FROM luna.health") {
        times[row.text(0)] = Timestamp(microseconds: row.integer(1))
      }
      guard let since = times.filter({ known[$0.key] != $0.value }).values.min() else {
        return (times, [])
      }
      let changed = try store.rows(
        "SELECT gateway, time, verdict, reasons, report FROM luna.health WHERE time >= $1",
        [.integer(since.microseconds)])
      return (times, changed.compactMap(GatewayHealth.init))
    }
  }

  /// How a gateway is; nil when it never told.
  public func health(of gateway: String) async throws(StorageError) -> GatewayHealth? {
    try await lookUp { store throws(StorageError) in
      try store.row(
        "SELECT gateway, time, verdict, reasons, report FROM luna.health WHERE gateway = $1",
        [.text(gateway)]
      ).flatMap(GatewayHealth.init)
    }
  }

  /// The samples of a gateway within a time, the oldest first.
  func samples(
    of gateway: String, _ step: SampleStep, _ range: ClosedRange<Timestamp>, limit: Int
  ) async throws(StorageError) -> [(time: Timestamp, sample: StoredSample)] {
    try await read { store throws(StorageError) in
      try store.rows(
        """
        SELECT time, count, data FROM luna.samples
        WHERE gateway = $1 AND step = $2 AND time >= $3 AND time <= $4 ORDER BY time LIMIT $5
        """,
        [
          .text(gateway), .integer(step.rawValue), .integer(range.lowerBound.microseconds),
          .integer(range.upperBound.microseconds), .integer(Int64(limit)),
        ]
      ).compactMap { row in
        SampleCodec.decode(row.bytes(2), count: row.integer(1)).map {
          (Timestamp(microseconds: row.integer(0)), $0)
        }
      }
    }
  }

  /// The sums of a key, hour by hour, hours since 1970.
  func telemetrySums(
    of key: String, hours: ClosedRange<Int64>
  ) async throws(StorageError) -> [(hour: Int64, sums: TelemetrySums)] {
    try await read { store throws(StorageError) in
      try store.rows(
        """
        SELECT hour, count, sum, low, high, buckets FROM luna.telemetry_sums
        WHERE key = $1 AND hour >= $2 AND hour <= $3 ORDER BY hour
        """, [.text(key), .integer(hours.lowerBound), .integer(hours.upperBound)]
      ).map { ($0.integer(0), TelemetrySums($0)) }
    }
  }

  /// Counts something that this server itself has seen.
  ///
  /// - Parameter key: none that telemetry could have.
  func count(_ key: String, at now: Timestamp) async throws(StorageError) {
    try await transaction { store throws(StorageError) in
      var sums = TelemetrySums()
      sums.add("1", count: 1)
      try store.add(sums, of: TelemetryHour(key: key, now))
    }
  }

  /// Drops what is older than it is kept: items, sums, samples, and the health of gateways that have told
  /// nothing for as long.
  func pruneTelemetry(at now: Timestamp) async throws(StorageError) {
    let (end, count) = (now.microseconds - telemetryLifetime, pruneCount)
    var dropped = Int(count)
    while dropped == Int(count) {
      dropped = try await transaction(isSerial: false) { store throws(StorageError) in
        try store.change(
          """
          DELETE FROM luna.telemetry WHERE id IN (
            SELECT id FROM luna.telemetry WHERE received < $1 LIMIT $2)
          """, [.integer(end), .integer(count)])
      }
    }
    let hour = now.microseconds / SampleStep.hour.width - sumLifetime
    try await transaction(isSerial: false) { store throws(StorageError) in
      try store.change("DELETE FROM luna.telemetry_sums WHERE hour < $1", [.integer(hour)])
      try store.change(
        "DELETE FROM luna.health WHERE time < $1",
        [.integer(now.microseconds - SampleStep.day.lifetime)])
    }
    var next: String? = ""
    while let name = next {
      next = try await transaction(isSerial: false) { store throws(StorageError) in
        try store.pruneSamples(after: name, at: now)
      }
    }
  }
}

/// An hour of a key.
private struct TelemetryHour: Hashable, Comparable {
  let key: String
  /// Hours since 1970.
  let hour: Int64

  init(key: String, _ time: Timestamp) {
    self.key = key
    hour = SampleStep.hour.start(of: time) / SampleStep.hour.width
  }

  static func < (left: TelemetryHour, right: TelemetryHour) -> Bool {
    (left.key, left.hour) < (right.key, right.hour)
  }
}

extension StorageTransaction {
  /// Adds sums to those of an hour.
  fileprivate func add(_ new: TelemetrySums, of hour: TelemetryHour) throws(StorageError) {
    var sums = new
    let old = try row(
      """
      SELECT hour, count, sum, low, high, buckets FROM luna.telemetry_sums
      WHERE key = $1 AND hour = $2
      """, [.text(hour.key), .integer(hour.hour)])
    if let old { sums.merge(TelemetrySums(old)) }
    try change(
      """
      INSERT INTO luna.telemetry_sums(key, hour, count, sum, low, high, buckets)
      VALUES($1, $2, $3, $4, $5, $6, $7) ON CONFLICT(key, hour) DO UPDATE SET
      count = excluded.count, sum = excluded.sum, low = excluded.low, high = excluded.high,
      buckets = excluded.buckets
      """,
      [
        .text(hour.key), .integer(hour.hour), .integer(sums.count), .real(sums.sum),
        sums.low.map { .real($0) } ?? .null, sums.high.map { .real($0) } ?? .null,
        .bytes(sums.bytes),
      ])
  }

  /// What a gateway had counted about an hour ago: the oldest sample of the last hour.
  fileprivate func past(
    of gateway: String, at now: Timestamp
  ) throws(StorageError) -> HealthRules.Past {
    let oldest = try row(
      """
      SELECT data, count FROM luna.samples WHERE gateway = $1 AND step = $2 AND time >= $3
      ORDER BY time LIMIT 1
      """,
      [
        .text(gateway), .integer(SampleStep.fiveMinutes.rawValue),
        .integer(now.microseconds - SampleStep.hour.width),
      ])
    guard let oldest, let sample = SampleCodec.decode(oldest.bytes(0), count: oldest.integer(1))
    else { return HealthRules.Past() }
    return HealthRules.Past(
      eventsLost: sample.whole(.eventsLost), recoveries: sample.whole(.recoveries))
  }

  /// Keeps a sample, and adds it to its hour and its day.
  fileprivate func add(
    _ sample: StoredSample, at time: Timestamp, of gateway: String
  ) throws(StorageError) {
    let isNew = try change(
      """
      INSERT INTO luna.samples(gateway, step, time, count, data) VALUES($1, $2, $3, 1, $4)
      ON CONFLICT(gateway, step, time) DO NOTHING
      """,
      [
        .text(gateway), .integer(SampleStep.fiveMinutes.rawValue), .integer(time.microseconds),
        .bytes(SampleCodec.encode(sample)),
      ])
    guard isNew > 0 else { return }
    // The day before the hour, in which others may be.
    for step in [SampleStep.day, .hour] {
      let place: [StorageValue] = [
        .text(gateway), .integer(step.rawValue), .integer(step.start(of: time)),
      ]
      // A row that is there is locked, and not written: of two uploads at once the later one waits, and adds to what the
      // other one has made of it.
      let isFirst = try change(
        """
        INSERT INTO luna.samples AS s(gateway, step, time, count, data) VALUES($1, $2, $3, $4, $5)
        ON CONFLICT(gateway, step, time) DO UPDATE SET count = s.count WHERE false
        """, place + [.integer(sample.count), .bytes(SampleCodec.encode(sample))])
      guard isFirst == 0 else { continue }
      let old = try row(
        "SELECT data, count FROM luna.samples WHERE gateway = $1 AND step = $2 AND time = $3", place
      )
      var sum = sample
      if let old, var merged = SampleCodec.decode(old.bytes(0), count: old.integer(1)) {
        merged.merge(sample)
        sum = merged
      }
      try change(
        """
        UPDATE luna.samples SET count = $4, data = $5
        WHERE gateway = $1 AND step = $2 AND time = $3
        """, place + [.integer(sum.count), .bytes(SampleCodec.encode(sum))])
    }
  }

  /// Drops old samples of some gateways.
  ///
  /// - Returns: the last of them; nil when there are no more.
  fileprivate func pruneSamples(
    after name: String, at now: Timestamp
  ) throws(StorageError) -> String? {
    var last = name
    for _ in 0..<8 {
      // From one gateway to the next without reading what is between.
      guard
        let next = try row(
          "SELECT gateway FROM luna.samples WHERE gateway > $1 ORDER BY gateway LIMIT 1",
          [.text(last)])
      else { return nil }
      last = next.text(0)
      for step in SampleStep.allCases {
        try change(
          "DELETE FROM luna.samples WHERE gateway = $1 AND step = $2 AND time < $3",
          [.text(last), .integer(step.rawValue), .integer(now.microseconds - step.lifetime)])
      }
    }
    return last
  }
}
