public import Bluetooth
import Diagnosis
public import LunaCore

/// How a gateway is, from what it told (FLEET.md, 4). Pure: it knows no time but the one that it is told.
public enum HealthRules {
  /// What a gateway had counted about an hour ago; nil where that is not known.
  public struct Past: Hashable, Sendable {
    /// Events that it had lost.
    public var eventsLost: Int64?
    /// How often its radio had been brought back.
    public var recoveries: Int64?

    /// What a gateway had counted; nil for what is not known.
    public init(eventsLost: Int64? = nil, recoveries: Int64? = nil) {
      self.eventsLost = eventsLost
      self.recoveries = recoveries
    }
  }

  /// When a server began to work, and when it had worked last before.
  public struct Server: Hashable, Sendable {
    /// When it began to work this time.
    public let startedAt: Timestamp
    /// When it had noted something last before; nil when it never had.
    public let stoppedAt: Timestamp?

    /// A server that works since `startedAt`; `stoppedAt` is nil where it never had before.
    public init(startedAt: Timestamp, stoppedAt: Timestamp?) {
      self.startedAt = startedAt
      self.stoppedAt = stoppedAt
    }
  }

  /// Whether a gateway is in touch. In a server's first 150 s the time in which it did not work is no
  /// gateway's fault.
  ///
  /// - Parameter seenAt: when it reported or uploaded last; nil for never.
  public static func state(
    seenAt: Timestamp?, server: Server, at now: Timestamp, limits: HealthLimits = .init()
  ) -> GatewayState {
    // A damaged row tells of no time.
    guard let seenAt, Timestamp.plausible.contains(seenAt) else { return .never }
    var age = now.microseconds - seenAt.microseconds
    let running = now.microseconds - server.startedAt.microseconds
    if running < limits.onlineSeconds * 1_000_000, seenAt < server.startedAt {
      let stopped = max(seenAt.microseconds, server.stoppedAt?.microseconds ?? 0)
      age -= max(0, server.startedAt.microseconds - stopped) + max(0, running)
    }
    if age <= limits.onlineSeconds * 1_000_000 { return .online }
    return age <= limits.lateSeconds * 1_000_000 ? .late : .offline
  }

  /// The worst of the reasons; `ok` without any.
  public static func verdict(_ reasons: [HealthReason]) -> HealthVerdict {
    reasons.map(\.verdict).max() ?? .ok
  }

  /// What is wrong with a gateway, the worst first.
  ///
  /// - Parameters:
  ///   - past: what it had counted about an hour ago.
  ///   - hasPosition: whether somebody said where it is; nil where nobody knows that.
  public static func reasons(
    _ report: HealthReport, past: Past = .init(), hasPosition: Bool? = nil,
    limits: HealthLimits = .init()
  ) -> [HealthReason] {
    let all = bad(report, past, limits) + warnings(report, past, hasPosition, limits)
    return all.enumerated().sorted {
      ($1.element.verdict, $0.offset) < ($0.element.verdict, $1.offset)
    }.map(\.element)
  }

  /// All adapters in a state, in words, and whether that is one; nil for none.
  private static func adapters(
    of report: HealthReport, _ state: AdapterHealth.State
  ) -> (names: String, isOne: Bool)? {
    let ids = report.adapters.filter { $0.state == state }.map(\.id)
    guard let last = ids.last else { return nil }
    guard ids.count > 1 else { return ("adapter \(last)", true) }
    return ("adapters \(ids.dropLast().joined(separator: ", ")) and \(last)", false)
  }

  private static func bad(
    _ report: HealthReport, _ past: Past, _ limits: HealthLimits
  ) -> [HealthReason] {
    var reasons: [HealthReason] = []
    let isScanning = report.adapters.contains { $0.state == .scanning }
    if isScanning, let silent = report.silentSeconds, silent > limits.silentSeconds {
      reasons.append(
        HealthReason(
          .noPackets, .bad, "it scans, and has heard nothing for \(silent / 60) min",
          "look at its antenna and adapter; start it anew if something must be nearby"))
    }
    if let (names, isOne) = adapters(of: report, .lost) {
      reasons.append(
        HealthReason(
          .adapterLost, .bad, "its \(names) \(isOne ? "has" : "have") failed, or cannot be used",
          "see what it says of that; else plug in anew what has failed, or start the machine anew"))
    }
    if let hours = report.outageHoursLeft, hours < limits.outageHours {
      reasons.append(
        HealthReason(
          .outageShort, .bad, "its queue is full in \(Int64(max(0, hours))) h if uploads fail",
          "look why its uploads fail, or give its queue more room"))
    }
    if let lost = report.eventsLost, let before = past.eventsLost, lost > before {
      reasons.append(
        HealthReason(
          .eventsLost, .bad, "it has lost \(lost - before) events within the last hour",
          "look at its disk and at its way to this server"))
    }
    if let free = report.diskFreeMiB, free < limits.diskFreeMiB {
      reasons.append(
        HealthReason(
          .diskFull, .bad, "its disk has \(free) MiB left", "free some space on it"))
    }
    return reasons
  }

  private static func warnings(
    _ report: HealthReport, _ past: Past, _ hasPosition: Bool?, _ limits: HealthLimits
  ) -> [HealthReason] {
    var reasons: [HealthReason] = []
    // Somebody may mean it: it is said, and no more.
    if let (names, isOne) = adapters(of: report, .off) {
      reasons.append(
        HealthReason(
          .adapterOff, .warn,
          "its \(names) \(isOne ? "is switched off, and hears" : "are switched off, and hear") nothing",
          "switch on what is off, and take back what blocks it: it is used again by itself then"))
    }
    if let oldest = report.queueOldestSeconds, oldest > limits.queueOldestSeconds {
      reasons.append(
        HealthReason(
          .queueOld, .warn, "an event has been waiting for \(oldest / 60) min",
          "look why its uploads fail"))
    }
    if let recoveries = report.recoveries {
      // Of a program that was started anew meanwhile all of them are new.
      let before = past.recoveries.map { $0 <= recoveries ? $0 : 0 } ?? 0
      let isKnown = past.recoveries != nil || (report.uptime ?? .max) <= 3600
      if isKnown, recoveries - before >= limits.recoveriesPerHour {
        reasons.append(
          HealthReason(
            .recoveries, .warn,
            "its radio had to be brought back \(recoveries - before) times within an hour",
            "use another adapter or another port, and keep it from being suspended"))
      }
    }
    if report.locationState == .stale {
      reasons.append(
        HealthReason(
          .locationStale, .warn, "it does not know any more where it is",
          "look at its satellite receiver, or give it a fixed place"))
    }
    if let offset = report.clockOffsetMilliseconds,
      offset.magnitude > UInt64(limits.clockOffsetMilliseconds)
    {
      reasons.append(
        HealthReason(
          .clockOff, .warn, "its clock is off by \(offset.magnitude / 1000) s",
          "have its clock set by the network"))
    }
    let isHot = report.temperature.map { $0 >= limits.temperature } ?? false
    if isHot || report.throttled == true {
      reasons.append(
        HealthReason(
          .hot, .warn,
          isHot
            ? "its processor has \(Int64(report.temperature ?? 0)) °C"
            : "it runs slower than it could: it is hot, or its power is weak",
          "give it air, and a better power supply"))
    }
    if let verdict = report.uplinkVerdict,
      !["fair", "inconclusive", "unknown"].contains(verdict)
    {
      reasons.append(
        HealthReason(
          .uplink, .warn, "its network treats some traffic differently (\(verdict))",
          "ask who runs that network, or use another one"))
    }
    if hasPosition == false {
      reasons.append(
        HealthReason(
          .noPosition, .warn, "nobody has said where it is", "give it a place on the map"))
    }
    return reasons
  }
}
