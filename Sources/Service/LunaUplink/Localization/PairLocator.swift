package import UplinkProtocol

/// Locates a difference with two servers of ours (UPLINK.md, 9).
package struct PairLocator: Sendable {
  /// What it is at, for who waits.
  package enum Moment: Hashable, Sendable {
    /// Others are first.
    case queued(place: Int)
    /// A run begins, after a share of all.
    case run(LocateBlocks.Run, share: Double)
  }

  /// With less data for each of them it cannot be done, bytes.
  package static let leastBudget = PairRun.least * LocateBlocks.flows

  /// One server, which has most of the data.
  package let first: PairClient
  /// The other one.
  package let second: PairClient

  /// A locator.
  package init(_ first: PairClient, _ second: PairClient) {
    self.first = first
    self.second = second
  }

  /// Makes the blocks, for which data of the first client's budget is used. A task that is cancelled ends them in
  /// order.
  ///
  /// - Parameters:
  ///   - verdict: what a check says of both servers.
  ///   - seed: where the order comes from.
  ///   - tally: is told what the links carry.
  ///   - tell: is called when something begins.
  package func locate(
    _ verdict: FairnessVerdict, _ profile: BuiltInProfile, seed: UInt64,
    tally: SlotTally = SlotTally(), tell: @escaping @Sendable (Moment) -> Void
  ) async throws(ReplayError) -> LocateFinding {
    let run = LocateRun(clients: [first, second], profile: profile, tally: tally, tell: tell)
    return try await SocketWait.run { waiting throws(ReplayError) in
      try run.run(verdict, seed: seed, waiting)
    }
  }

  /// Measures what replays usually differ by, percent, with one server.
  ///
  /// - Parameter tally: is told what the link carries.
  /// - Returns: that, and how many bytes it took.
  package static func variations(
    with client: PairClient, _ profile: BuiltInProfile, tally: SlotTally = SlotTally(),
    tell: @escaping @Sendable (Moment) -> Void
  ) async throws(ReplayError) -> (values: [Double], bytes: Int) {
    let run = LocateRun(clients: [client], profile: profile, tally: tally, tell: tell)
    return try await SocketWait.run { waiting throws(ReplayError) in
      try run.variations(waiting)
    }
  }
}
