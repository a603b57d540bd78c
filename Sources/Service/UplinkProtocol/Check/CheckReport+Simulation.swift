extension CheckReport {
  /// The result of a check over a link that is made up: nothing is sent, and the result says so.
  ///
  /// - Parameters:
  ///   - aim: what the pairs are to find; nil for what they find.
  ///   - pairs: how many there are at most (``PairedCheck/pairs``); nil for the usual ones, or those of the aim.
  ///   - confirms: whether a check that finds a difference is made once more.
  ///   - seed: where all chance comes from.
  package static func simulated(
    _ profile: BuiltInProfile, _ behaviour: SimulatedLink.Behaviour, aim: PairedCheck.Aim? = nil,
    pairs: Int? = nil, confirms: Bool = true, seed: UInt64
  ) throws(StatisticsError) -> CheckReport {
    var report = CheckReport(profile, direction: "up", server: "simulated", isSimulated: true)
    var generator = SplitMix64(seed: seed)
    repeat {
      let (measure, seed) = (profile.slotMeasure, generator.next())
      var check = PairedCheck(measure, seed: seed, aim: aim, pairs: pairs)
      var link = SimulatedLink(behaviour, seed: seed)
      report.add(try link.finding(of: &check, measure))
    } while confirms && report.needsConfirmation
    return report
  }
}

extension SimulatedLink {
  /// Makes the slots of a check until it has found something.
  fileprivate mutating func finding(
    of check: inout PairedCheck, _ measure: SlotMeasure
  ) throws(StatisticsError) -> CheckFinding {
    while true {
      let record = slot(check.next(), measure)
      if let finding = try check.take(record) { return finding }
    }
  }
}
