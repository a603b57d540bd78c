import LunaStore
import LunaUplink
import UplinkProtocol

/// What runs with servers have in common: the way to them, the data that they may use, and who keeps what comes of it.
struct UplinkRun {
  let way: UplinkServerOptions
  let budget: UplinkBudgetOptions
  let keeper: UplinkKeeper
  let stop: UplinkStop

  init(way: UplinkServerOptions, budget: UplinkBudgetOptions, keeper: UplinkKeeper) {
    self.way = way
    self.budget = budget
    self.keeper = keeper
    stop = UplinkStop(in: keeper.state.path)
  }

  /// Begins one: from here on it ends in order where somebody wants that.
  ///
  /// - Parameter statistics: what SIGUSR1 is answered.
  /// - Returns: the kind of link, and what may be used on it.
  func begin(
    _ statistics: @escaping @Sendable () -> String
  ) async -> (link: String?, ledger: UplinkLedger) {
    stop.watch(keeper.printer.notes, statistics)
    let link = await UplinkLink.kind()
    return (link, await UplinkLedger(budget, keeper.state, link: link))
  }

  /// Says how much data a client of a server of ours may have, out of so much on the link.
  ///
  /// - Parameters:
  ///   - least: with less nothing can be made.
  ///   - what: what is made, for messages.
  func limit(
    _ client: inout PairClient, to bytes: Int64, slots: Int, least: Int, _ what: String
  ) throws(CommandFailure) {
    client.budget = SlotVolume.data(in: bytes, slots: slots)
    guard client.budget >= least else {
      throw CommandFailure(
        .overBudget, "\(what) needs more data than it may use",
        hint: "--budget SIZE, or on a metered link --budget-metered SIZE, allows more")
    }
  }
}
