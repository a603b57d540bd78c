import Testing

@testable import UplinkProtocol

struct LocateBlocksTests {
  private func finding(
    _ verdict: FairnessVerdict = .throttled, seed: UInt64 = 5,
    _ group: (LocateBlocks.Run) -> FlowGroup
  ) throws -> LocateFinding {
    var blocks = LocateBlocks(verdict, seed: seed)
    while let run = blocks.next() { blocks.take(group(run)) }
    return try blocks.finding()
  }

  private func simulated(
    _ behaviour: SimulatedPair.Behaviour, seed: UInt64 = 5
  ) throws -> LocateFinding {
    var pair = SimulatedPair(behaviour, seed: seed)
    return try finding { pair.group($0) }
  }

  /// Flows of these speeds, bytes each second.
  private func group(_ rates: [Double], seconds: Double = 1) -> FlowGroup {
    FlowGroup(
      rates.map { rate in
        var flow = FlowTrace()
        for tick in 0...200 {
          let time = seconds * Double(tick) / 200
          let bytes = Int(rate * time)
          flow.look(
            FlowCounters(
              acknowledged: bytes, sent: bytes, retransmitted: 0, packets: bytes / 1_400,
              leastRoundTrip: nil), at: time)
        }
        return flow
      })
  }

  private func blocks(
    _ together: Double, first: Double? = nil, twice: Double = 1, control: Double = 4
  ) -> [LimitBlock] {
    (0..<8).map {
      // They vary by 4 %.
      let noise = 1 + 0.01 * Double($0 % 5)
      return LimitBlock(
        alone: noise, together: together * noise * noise, first: first ?? together / 2,
        twice: twice, control: control)
    }
  }

  @Test func oneLimitIsCommon() throws {
    for seed in UInt64(0)..<20 {
      let finding = try simulated(.common, seed: seed)
      #expect(finding.location == .common && finding.blocks == 8 && finding.trend == nil)
      #expect(abs(try #require(finding.limit).ratio - 1) < 0.1)
      #expect(finding.bytes > 0 && finding.seconds > 0)
    }
  }

  @Test func twoLimitsAreSeparate() throws {
    for seed in UInt64(0)..<20 {
      let finding = try simulated(.separate, seed: seed)
      #expect(finding.location == .separate)
      #expect(try #require(finding.limit?.low) > 1.5)
    }
  }

  @Test func speedsTell() throws {
    let cases: [(Double, Double, Double, Location?, Bool)] = [
      (1, 1, 4, .common, true), (2, 1, 4, .separate, true), (2, 2, 4, .perConnection, true),
      (1.35, 1, 4, nil, true), (2, 1, 2, .separate, true),
      // The control is no faster: it is the whole link that limits.
      (1, 1, 1, nil, false), (1, 1, 1.2, nil, false),
    ]
    for (together, twice, control, location, isUsable) in cases {
      let estimate = try LimitEstimate(
        blocks(together, twice: twice, control: control), sign: 1, seed: 1)
      #expect(estimate.location == location && estimate.isUsable == isUsable, "\(together)")
    }
  }

  /// A limit of its own that is a tenth of the first server's adds a tenth, and takes nothing from it: the sum alone
  /// would be that of one limit.
  @Test func aSmallLimitBesideALargeOneIsNotOneWithIt() throws {
    let beside = try LimitEstimate(blocks(1.1, first: 1), sign: 1, seed: 1)
    #expect(beside.location == nil && beside.isUsable)
    #expect(try LimitEstimate(blocks(1.1, first: 0.8), sign: 1, seed: 1).location == .common)
    for seed in UInt64(0)..<20 {
      let finding = try finding(seed: seed) { run in
        switch run {
        case .alone: group([1e6])
        case .together: group([1e6, 1e5])
        case .twice: group([5e5, 5e5])
        case .control: group([2e6, 2e6])
        }
      }
      #expect(finding.location == .noEvidence && finding.blocks == 8)
    }
  }

  @Test func fasterOriginalsHaveSlowerControls() throws {
    let estimate = try LimitEstimate(blocks(1, control: 0.5), sign: -1, seed: 1)
    #expect(estimate.location == .common)
    #expect(try LimitEstimate(blocks(1, control: 4), sign: -1, seed: 1).location == nil)
  }

  @Test func whatVariesTooMuchIsNoEvidence() throws {
    let noisy = (0..<8).map {
      LimitBlock(alone: 1, together: $0 % 2 == 0 ? 0.5 : 2, first: 0.5, twice: 1, control: 8)
    }
    let estimate = try LimitEstimate(noisy, sign: 1, seed: 1)
    #expect(estimate.location == nil && estimate.isUsable)
    let finding = LocateFinding(limit: estimate, trend: nil, blocks: 8, bytes: 0, seconds: 0)
    #expect(finding.location == .noEvidence)
  }

  @Test func withoutBlocksNothingIsSaid() throws {
    let finding = try finding { _ in FlowGroup([]) }
    #expect(finding.location == .inconclusive && finding.limit == nil && finding.blocks == 0)
  }

  @Test func failedBlocksAreMadeAgain() throws {
    var count = 0
    let finding = try finding { run in
      count += 1
      if count == 4 { return FlowGroup([]) }
      return group(run.servers.map { _ in run == .control ? 4e6 : 1e6 / Double(run.servers.count) })
    }
    #expect(finding.blocks == 8 && finding.location == .common)
    // Nine blocks, and the run before.
    #expect(count == 37)
  }

  @Test func orderComesFromTheSeed() {
    func order(_ seed: UInt64) -> [LocateBlocks.Run] {
      var blocks = LocateBlocks(.throttled, seed: seed)
      var runs: [LocateBlocks.Run] = []
      while let run = blocks.next() {
        runs.append(run)
        blocks.take(group(run.servers.map { _ in 1e6 }))
      }
      return runs
    }
    let runs = order(1)
    #expect(runs == order(1) && runs != order(2) && runs.first == .alone && runs.count == 33)
    for block in 0..<8 {
      #expect(Set(runs[(1 + 4 * block)..<(5 + 4 * block)]).count == 4)
    }
  }

  @Test func speedsAreOfTheTimeThatIsCommon() throws {
    let rate = try #require(group([1e6, 2e6]).rate)
    #expect(abs(rate - 3e6) < 1e4)
    #expect(group([1e6, 0]).rate == nil && FlowGroup([]).rate == nil)
    #expect(group([1e6], seconds: 0.01).rate == nil)
  }

  /// Two limits are not one, whatever is lost at the same time.
  @Test func speedsCountMoreThanLosses() throws {
    let ticks = (0..<2_400).map { tick in
      LossTick(sent: 14_000, lost: tick / 37 % 5 == 0 ? 1_400 * (tick % 3) : 0, packets: 10)
    }
    let trend = try #require(LossTrend(ticks, ticks, roundTrip: 0.02, seed: 1))
    #expect(trend.isCommon)
    let two = try LimitEstimate(blocks(2), sign: 1, seed: 1)
    let between = try LimitEstimate(blocks(1.35), sign: 1, seed: 1)
    func location(_ limit: LimitEstimate?) -> Location {
      LocateFinding(limit: limit, trend: trend, blocks: 8, bytes: 0, seconds: 0).location
    }
    #expect(location(two) == .separate && location(between) == .common && location(nil) == .common)
    // Two limits of their own that are larger than half of the link: what is lost together is lost in all of it, by
    // controls as well.
    let link = try LimitEstimate(blocks(1.35, control: 1.35), sign: 1, seed: 1)
    #expect(location(link) == .inconclusive)
  }
}
