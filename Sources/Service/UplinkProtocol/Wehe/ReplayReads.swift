/// All that was received in a replay, read by read, from which samples are made afterwards.
public struct ReplayReads: Hashable, Sendable {
  private struct Read: Hashable {
    let time: Double
    var count: Int
  }

  /// Reads that are less apart are one, s: no bucket is so narrow, and a server that sends byte by byte fills
  /// no memory.
  private static let grain = 20e-6

  private var reads: [Read] = []
  /// How many bytes were received.
  public private(set) var count = 0
  /// When the last bytes came, s from the beginning.
  public private(set) var seconds = 0.0

  /// Nothing yet.
  public init() {}

  /// Adds a read. A time before that of the last one counts as that, and one without bytes is none.
  ///
  /// - Parameters:
  ///   - count: how many bytes came.
  ///   - time: s from the beginning.
  public mutating func append(_ count: Int, at time: Double) {
    guard count > 0, time.isFinite else { return }
    seconds = max(seconds, time, 0)
    self.count += count
    if let last = reads.indices.last, seconds - reads[last].time < ReplayReads.grain {
      reads[last].count += count
    } else {
      reads.append(Read(time: seconds, count: count))
    }
  }

  /// The samples that a server is sent.
  ///
  /// - Parameter buckets: how many it wants, 1 to 10,000.
  /// - Returns: nil where nothing was received, or all of it at once.
  public func samples(_ buckets: Int, _ width: BucketWidth) -> ReplaySamples? {
    guard (1...Samples.limit).contains(buckets), seconds > 0 else { return nil }
    let width = width.seconds(duration: seconds, buckets: buckets)
    guard width > 0, width.isFinite else { return nil }
    // Rounding must not make a bucket of its own of the last read.
    let number = min(max(1, Int((seconds / width - 1e-9).rounded(.up))), ReplaySamples.limit)
    var bytes = [Int](repeating: 0, count: number)
    for read in reads { bytes[min(Int(read.time / width), number - 1)] += read.count }
    let times = (1...number).map { min(Double($0) * width, seconds) }
    let rates = zip(bytes, times.indices).map { count, index in
      let span = times[index] - (index > 0 ? times[index - 1] : 0)
      return span > 0 ? Double(count) * 8 / 1e6 / span : 0
    }
    return ReplaySamples(rates: rates, times: times)
  }
}
