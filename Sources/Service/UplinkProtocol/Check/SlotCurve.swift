/// How many bytes of a slot had gone at what time, and how fast that was (UPLINK.md, 8.2).
package struct SlotCurve: Sendable {
  private struct Point {
    var time: Double
    var bytes: Int
  }

  /// Points that are less apart are one, s.
  private static let grain = 0.001
  /// No curve has more points: a slot that crawls fills no memory.
  private static let limit = 20_000
  /// What of a slot is not counted: the share of its time at its beginning, and how many round trips at least.
  private static let cut = (share: 0.25, roundTrips: 3.0)
  /// What counts has to last so long, s.
  private static let least = 0.01
  /// How many parts of equal bytes a curve has.
  private static let parts = 25

  private var points: [Point] = [Point(time: 0, bytes: 0)]

  /// Nothing has gone yet.
  package init() {}

  /// How many bytes have gone.
  package var bytes: Int { points[points.count - 1].bytes }
  /// When the last ones had, s from the beginning.
  package var seconds: Double { points[points.count - 1].time }

  /// Says how many bytes have gone at a time, all together. Less than before, or earlier, is not heard.
  package mutating func add(_ total: Int, at time: Double) {
    let last = points[points.count - 1]
    guard total > last.bytes, time >= last.time, time.isFinite else { return }
    let isClose = points.count > 1 && time - points[points.count - 2].time < SlotCurve.grain
    if isClose || points.count == SlotCurve.limit {
      points[points.count - 1] = Point(time: time, bytes: total)
    } else {
      points.append(Point(time: time, bytes: total))
    }
  }

  /// How fast it was, bytes each second, without its beginning.
  ///
  /// - Parameter leastRoundTrip: s; 0 where it is not known.
  package func outcome(leastRoundTrip: Double) -> SlotOutcome {
    let start = cutoff(leastRoundTrip)
    guard bytes > 0 else { return .failed }
    guard seconds - start >= SlotCurve.least else { return .tooFast }
    let rate = (Double(bytes) - gone(at: start)) / (seconds - start)
    return rate > 0 ? .measured(rate) : .failed
  }

  /// Times, s, and bytes of parts of equal bytes.
  package var samples: [[Double]] {
    guard bytes > 0 else { return [] }
    return (1...SlotCurve.parts).map { part in
      let share = Double(bytes) * Double(part) / Double(SlotCurve.parts)
      return [time(of: share), share]
    }
  }

  /// How fast each part was, and when it ended; nil where nothing has gone.
  package var rates: ReplaySamples? {
    let samples = self.samples
    guard !samples.isEmpty else { return nil }
    let rates = zip([[0, 0]] + samples, samples).map { before, after in
      (after[1] - before[1]) * 8 / 1e6 / max(after[0] - before[0], SlotCurve.grain)
    }
    return ReplaySamples(rates: rates, times: samples.map { $0[0] })
  }

  /// The fastest of the parts that count, bytes each second; nil where nothing has gone. What goes at once at the
  /// beginning, into a queue or out of a bucket, says nothing of what the way carries.
  ///
  /// - Parameter leastRoundTrip: s; 0 where it is not known.
  package func fastest(leastRoundTrip: Double) -> Double? {
    let (samples, start) = (self.samples, cutoff(leastRoundTrip))
    let parts = zip([[0, 0]] + samples, samples).map { before, after in
      (
        begins: before[0],
        rate: (after[1] - before[1]) / max(after[0] - before[0], SlotCurve.grain)
      )
    }
    // Where even the last one begins too early, most went at once.
    return parts.filter { $0.begins >= start }.map { $0.rate }.max() ?? parts.last?.rate
  }

  /// From when on it counts, s.
  private func cutoff(_ leastRoundTrip: Double) -> Double {
    max(SlotCurve.cut.share * seconds, SlotCurve.cut.roundTrips * leastRoundTrip)
  }

  /// How fast it was between two times, bytes each second. Behind its end nothing went.
  package func rate(from start: Double, to end: Double) -> Double {
    end > start ? (gone(at: end) - gone(at: start)) / (end - start) : 0
  }

  private func gone(at time: Double) -> Double {
    guard let next = points.firstIndex(where: { $0.time >= time }) else { return Double(bytes) }
    guard next > 0 else { return 0 }
    let (before, after) = (points[next - 1], points[next])
    guard after.time > before.time else { return Double(after.bytes) }
    let share = (time - before.time) / (after.time - before.time)
    return Double(before.bytes) + share * Double(after.bytes - before.bytes)
  }

  private func time(of bytes: Double) -> Double {
    guard let next = points.firstIndex(where: { Double($0.bytes) >= bytes }), next > 0 else {
      return seconds
    }
    let (before, after) = (points[next - 1], points[next])
    let share = (bytes - Double(before.bytes)) / Double(after.bytes - before.bytes)
    return before.time + share * (after.time - before.time)
  }
}
