/// The ticks of a flow in a circle, so that any interval of it is quickly known.
struct LossSeries {
  /// How many ticks there are.
  let count: Int
  /// What was sent before each tick, twice around.
  private let sums: [LossTick]

  init(_ ticks: [LossTick]) {
    count = ticks.count
    var (sum, sums) = (LossTick(), [LossTick()])
    sums.reserveCapacity(2 * ticks.count + 1)
    for tick in ticks + ticks {
      sum = LossTick(
        sent: sum.sent + tick.sent, lost: sum.lost + tick.lost, packets: sum.packets + tick.packets)
      sums.append(sum)
    }
    self.sums = sums
  }

  /// All of it.
  var total: LossTick { sums[count] }

  /// So many ticks from one on, at most once around.
  func interval(from start: Int, _ count: Int) -> LossTick {
    let (before, after) = (sums[start], sums[start + count])
    return LossTick(
      sent: after.sent - before.sent, lost: after.lost - before.lost,
      packets: after.packets - before.packets)
  }
}
