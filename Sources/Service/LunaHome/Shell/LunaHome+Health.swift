import EventLoop
import LunaCore
import LunaStore

// What the home watches by itself: the disk, and where the clocks of its trackers go.

extension LunaHome {
  private static let minute = Duration.seconds(60)
  /// A trend is made of so many days, µs.
  private static let trend: Int64 = 30 * 86_400_000_000

  /// Looks at the disk each minute; rules hear of it once, until there was room again.
  func mindDisk() async {
    var isLow = false
    let (path, freeSpace) = (settings.state.path, settings.freeSpace)
    while isRunning, !Task.isCancelled {
      if let free = await Blocking.run({ freeSpace(path) }), isRunning {
        if !isLow, free < DiskSpace.low {
          isLow = true
          notice(.diskLow, "there are only \(free >> 20) MiB left on the disk of the home")
          take([.system("diskLow")])
        } else if isLow, free >= DiskSpace.enough {
          isLow = false
          notice(.diskLow, nil)
        }
      }
      guard (try? await clock.sleep(LunaHome.minute)) != nil else { return }
    }
  }

  /// Says of each of one's own trackers how many days its clock has left, each hour.
  func mindClocks() async {
    while isRunning, !Task.isCancelled {
      for id in devices.keys.sorted() { await judgeClock(of: id) }
      guard (try? await clock.sleep(.seconds(3600))) != nil else { return }
    }
  }

  private func judgeClock(of id: String) async {
    let moment = now
    // The database tells numbers of one kind.
    guard
      let kept = try? await history(
        of: "drift", of: id, from: moment.wall - LunaHome.trend, to: moment.wall)
    else { return }
    var points = kept.compactMap { point in
      PropertyValue(point.value)?.number.map { (time: point.time, drift: $0) }
    }
    // Small changes are not kept: what holds now counts as well.
    if let known = engine?.state.trackers[id]?.properties["drift"], let drift = known.value.number {
      points.append((moment.wall - (moment.boot - known.said), drift))
    }
    guard isRunning, let days = ClockTrend.daysLeft(points) else { return }
    take([.value(tracker: id, property: "clockDaysLeft", .number(days))])
  }
}
