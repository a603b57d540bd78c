package import UplinkProtocol

/// A client of a server of ours that makes checks by pairs of slots (UPLINK.md, 7.2, 8.2).
package struct PairClient: Sendable {
  /// What a check is at, for who waits.
  package enum Moment: Hashable, Sendable {
    /// Others are first.
    case queued(place: Int)
    /// Slots can be made; the server sees this machine at an address, of which it tells the beginning.
    case allowed(address: String)
    /// A slot begins, after so many of so many. So many bytes of data may be used still, and so fast was the last one,
    /// bytes each second; nil where that is not known.
    case slot(SlotKind, done: Int, of: Int, left: Int? = nil, rate: Double? = nil)
  }

  /// The server.
  package let place: HostPlace
  /// What it knows this client by.
  package let token: String
  /// The name that control slots ask for.
  package var controlName = "example.com"
  /// How many bytes of data a check may have.
  package var budget = 90_000_000
  /// What the pairs are to find; nil for what they find.
  package var aim: PairedCheck.Aim?
  /// How many pairs there are at most; nil for the usual ones, or those of the aim.
  package var pairs: Int?

  /// A client of a server.
  package init(_ place: HostPlace, token: String) {
    self.place = place
    self.token = token
  }

  /// How many pairs there may be.
  package var most: Int { pairs ?? (aim == nil ? PairRun.pairs.all : PairRun.pairs.aimed) }

  /// With less data no check can be made.
  package var leastBudget: Int { PairRun.leastBudget(of: most) }

  /// With less data no usual check can be made.
  package static let leastBudget = PairRun.leastBudget(of: PairRun.pairs.all)

  /// Makes a check. A task that is cancelled ends it in order.
  ///
  /// - Parameters:
  ///   - seed: where its coins come from.
  ///   - tally: is told what the link carries.
  ///   - tell: is called when something begins.
  /// - Throws: ``UplinkProtocol/ReplayError``.
  package func check(
    _ profile: BuiltInProfile, _ direction: SlotDirection, seed: UInt64,
    tally: SlotTally = SlotTally(), tell: @escaping @Sendable (Moment) -> Void
  ) async throws(ReplayError) -> CheckFinding {
    let run = PairRun(
      client: self, profile: profile, direction: direction, tally: tally, tell: tell)
    return try await SocketWait.run { waiting throws(ReplayError) in
      try run.run(seed: seed, waiting)
    }
  }

  /// The name that a slot asks for.
  func name(of kind: SlotKind, _ profile: BuiltInProfile) -> String? {
    switch (profile, kind) {
    case (.generic, .original): controlName
    case (.generic, .control): nil
    case (_, .original): place.name
    case (_, .control): controlName
    }
  }
}
