/// How the data of a replay ended.
public enum ReplayData: Hashable, Sendable {
  /// It came to its end, or to the limit in time.
  ///
  /// - Parameters:
  ///   - seconds: how long it took.
  ///   - samples: what is sent to the server; nil where there are none.
  ///   - isTruncated: whether the limit ended it.
  case ended(seconds: Double, samples: ReplaySamples?, isTruncated: Bool)
  /// The server said that it comes from another address than the side channel.
  case ipFlip
  /// A connection broke off, or was silent for too long.
  case lost

  /// What a transfer ended in.
  ///
  /// - Parameters:
  ///   - seconds: how long it took.
  ///   - samples: what is sent to the server; nil where there are none.
  public init(_ end: TransferEnd, seconds: Double, samples: ReplaySamples?) {
    switch end {
    case .complete: self = .ended(seconds: seconds, samples: samples, isTruncated: false)
    case .limit: self = .ended(seconds: seconds, samples: samples, isTruncated: true)
    case .ipFlip: self = .ipFlip
    case .lost: self = .lost
    }
  }
}
