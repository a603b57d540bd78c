import Bluetooth
import LunaCore

extension FinderSession {
  /// Tells how the gateway is, once a minute, for as long as somebody wants to know.
  func watchHealth() -> Task<Void, Never>? {
    guard parts.telemetry?.wantsHealth == true, !parts.isRecording else { return nil }
    return Task { [weak self, clock = parts.clock] in
      // The radio is to be there first.
      var pause = FinderSession.patience
      while (try? await clock.sleep(pause)) != nil, let self {
        await reportHealth()
        pause = HealthWatch.interval
      }
    }
  }

  /// Tells how the gateway is now, where somebody wants to know.
  func reportHealth() async {
    guard let telemetry = parts.telemetry, telemetry.wantsHealth, !parts.isRecording else { return }
    countHealth()
    let (status, machine) = (try? await queue.status(at: parts.clock.now()), parts.machine())
    var report = health.report(
      source: sourceName, queue: status, machine: machine, at: parts.clock.elapsed(),
      date: parts.clock.now())
    report.version = parts.version
    report.clockOffsetMilliseconds = uploader?.clockOffset.map { Int64($0 / .milliseconds(1)) }
    parts.addUplink(&report)
    if configuration.devices == .off { (report.advertisers, report.families) = (nil, [:]) }
    guard !Task.isCancelled else { return }
    telemetry.report(report)
  }

  /// Tells who stays nearby, for as long as somebody wants to know. At the end of a recording it is told once
  /// more.
  func watchDevices() -> Task<Void, Never>? {
    guard census != nil, !parts.isRecording else { return nil }
    return Task { [weak self, clock = parts.clock] in
      while (try? await clock.sleep(DeviceCensus.interval)) != nil, let self {
        await reportDevices()
      }
    }
  }

  func reportDevices() async {
    guard let telemetry = parts.telemetry, census != nil else { return }
    do {
      let names = try await parts.deviceNames()
      guard let devices = try census?.staying(at: moment.now, names), !devices.isEmpty else {
        return
      }
      telemetry.report(devices)
    } catch {
      // Without a key that lasts, names would be others after each start.
      census = nil
      tell(.problem(error))
    }
  }

  /// Records what the finder is used for, where that is wanted.
  func recordUse(_ update: FinderUpdate) {
    guard let telemetry = parts.telemetry else { return }
    let part = "finder"
    switch update {
    case .listening:
      guard !hasListened else { return }
      hasListened = true
      telemetry.record(
        .operation("start", in: part, took: parts.clock.elapsed() - startedAt))
    case .recovery(let step) where step.outcome == .recovered:
      telemetry.record(.event("recovery", in: part))
    case .commandEnded: telemetry.record(.event("buzz", in: part))
    case .uploaded(let summary) where !summary.refused.isEmpty:
      telemetry.record(.event("refused", in: part))
    default: break
    }
  }
}
