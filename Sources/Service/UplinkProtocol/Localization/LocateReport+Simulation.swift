extension LocateReport {
  /// The result of a localization over links that are made up: nothing is sent, and the result says so.
  ///
  /// - Parameter seed: where all chance comes from.
  package static func simulated(
    _ profile: BuiltInProfile, _ behaviour: SimulatedPair.Behaviour, seed: UInt64
  ) throws(StatisticsError) -> LocateReport {
    var pair = SimulatedPair(behaviour, seed: seed)
    var report = LocateReport(
      profile: profile.rawValue, direction: "up", server: "simulated", isSimulated: true)
    for _ in 0..<2 { report.add(pair.verdict, bytes: 0, seconds: 0) }
    guard let difference = report.difference else {
      report.addNothing()
      return report
    }
    var blocks = LocateBlocks(difference, seed: seed)
    while let run = blocks.next() { blocks.take(pair.group(run)) }
    report.add(try blocks.finding())
    return report
  }
}
