import Bluetooth
public import LunaCore
import LunaStore
import Synchronization

/// What the parts of a program tell of the gateway and of its use.
extension Telemetry: TelemetrySink {
  /// What is started again and again, and ends within so many seconds, has no course to be told.
  private static let shortest: Int64 = 5
  /// How often samples of health are queued.
  private static let sampleInterval = Duration.seconds(300)

  /// Whether a gateway is to tell how it is.
  public nonisolated var wantsHealth: Bool { configuration.recordsHealth }

  /// Takes how the gateway is: the newest report is sent, and one each five minutes is queued, so that an
  /// outage leaves no hole.
  public nonisolated func report(_ report: HealthReport) {
    guard wantsHealth else { return }
    let now = clocks.awake()
    let (isFirst, isSample) = health.withLock { health in
      health.newest = report
      health.number += 1
      let isSample =
        report.uptime ?? .max >= Telemetry.shortest
        && health.sampledAt.map { now - $0 >= Telemetry.sampleInterval } ?? true
      if isSample { health.sampledAt = now }
      return (health.number == 1, isSample)
    }
    if isSample { follow(buffer.withLock { $0.add(report, time: clocks.time) }) }
    // Somebody waits for a new gateway to appear.
    if isFirst { bell.ring() }
  }

  /// Takes what the gateway hears that stays: the newest list is sent with what is sent next.
  public nonisolated func report(_ devices: [DeviceReport]) {
    health.withLock {
      $0.devices = devices
      $0.deviceNumber += 1
    }
  }

  /// Records a use, where that is wanted.
  public nonisolated func record(_ usage: TelemetryUsage) {
    guard configuration.recordsUsage else { return }
    let (name, value) =
      switch usage {
      case .appear(let part): ("\(part).appear", "1")
      case .disappear(let part): ("\(part).disappear", "1")
      case .event(let event, let part): ("\(part).event.\(event)", "1")
      case .operation(let operation, let part, let duration):
        ("\(part).operation.\(operation)", String(duration.wholeMilliseconds))
      }
    do throws(TelemetryError) {
      try record(try root.appending(name), value)
    } catch {
      lose(TelemetryLoss.key)
    }
  }
}
