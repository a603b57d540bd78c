import Bluetooth
import EventLoop
import LunaCore
import LunaStore

// What the home watches by itself: the disk, where the clocks of its trackers go, and what checks say of the network.

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

  /// Looks each minute what the last check of the uplink says.
  func mindUplink() async {
    while isRunning, !Task.isCancelled {
      await judgeUplink()
      guard (try? await clock.sleep(LunaHome.minute)) != nil else { return }
    }
  }

  /// Says what the last check of the uplink says; rules hear of it when that is something else than before.
  func judgeUplink() async {
    let (state, time) = (settings.state, clock.now())
    let last = await Blocking.run { try? UplinkStore.lastSummary(in: state, at: time) }
    let (old, verdict) = (uplinkVerdict, last?.verdict ?? "")
    guard isRunning, old != verdict else { return }
    uplinkVerdict = verdict
    let text =
      switch verdict {
      case "fair": "uploads run as other traffic does"
      case "inconclusive": "the last check could not tell whether it treats all traffic alike"
      default: "the network treats some traffic differently (\(verdict))"
      }
    uplink = last.map { HomeLink(state: .works, text: text, since: $0.time.microseconds) }
    if let uplink { tell(.link("uplink", uplink)) }
    let isFair = ["", "fair", "inconclusive"].contains(verdict)
    notice(.uplink, isFair ? nil : text)
    // What it was before the home began nobody knows.
    if old != nil, !verdict.isEmpty { take([.system("uplinkChanged")]) }
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
