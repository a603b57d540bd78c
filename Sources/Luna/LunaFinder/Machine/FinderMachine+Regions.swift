extension FinderMachine {
  /// After how long without a frame a region is left, and a full scan ends.
  static let silence: Duration = .seconds(30)

  mutating func enter(
    _ index: Int, at moment: FinderMoment, _ actions: inout [FinderAction]
  ) {
    guard configuration.regions.indices.contains(index) else { return }
    lastLuna = moment.elapsed
    if regions.updateValue(moment.elapsed, forKey: index) == nil {
      actions.append(.entered(region(index)))
    }
  }

  mutating func leaveRegions(at moment: FinderMoment, _ actions: inout [FinderAction]) {
    for index in regions.keys.sorted() {
      guard let last = regions[index], moment.elapsed - last >= FinderMachine.silence else {
        continue
      }
      regions[index] = nil
      actions.append(.exited(region(index)))
    }
  }

  private func region(_ index: Int) -> LunaRegion {
    LunaRegion(uuid: configuration.regions[index], index: index)
  }

  /// Listens fully while something of Luna is there, or a command waits for its tracker.
  mutating func chooseDuty(at moment: FinderMoment, _ actions: inout [FinderAction]) {
    let wanted: ScanDuty
    switch configuration.duty {
    case .full: wanted = .full
    case .sparse: wanted = commands.isIdle ? .sparse : .full
    case .auto:
      let isNear = lastLuna.map { moment.elapsed - $0 < FinderMachine.silence } ?? false
      wanted = isNear || !commands.isIdle ? .full : .sparse
    }
    guard wanted != duty else { return }
    duty = wanted
    actions.append(.listen(wanted))
  }
}
