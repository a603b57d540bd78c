import Bluetooth
import Diagnosis
import LunaCore

/// Looks at everything that can stop a scan or a connection, and at what a gateway needs besides, and
/// says of each what it found, why, and what to do.
///
///     for await finding in Doctor(settings).findings { print(finding.state, finding.cause) }
///
/// The checks do not wait for each other, and none takes longer than its time: one that hangs is
/// `unknown`. Nothing is changed; the last check scans for some seconds.
public struct Doctor: Sendable {
  private let settings: DoctorSettings
  private let machine: any Machine

  /// A doctor for what `settings` describe.
  public init(_ settings: DoctorSettings = DoctorSettings()) {
    self.init(settings, machine: LinuxMachine(settings: settings))
  }

  init(_ settings: DoctorSettings, machine: any Machine) {
    self.settings = settings
    self.machine = machine
  }

  /// What all checks find, in their order, each as soon as it and those before it are done.
  public var findings: AsyncStream<Finding> { findings(of: Check.allCases) }

  /// What some checks find, in the order in which they are declared.
  public func findings(of checks: [Check]) -> AsyncStream<Finding> {
    let (stream, feed) = AsyncStream.makeStream(of: Finding.self)
    let worker = Task {
      _ = await examine(checks) { feed.yield($0) }
      feed.finish()
    }
    feed.onTermination = { _ in worker.cancel() }
    return stream
  }

  /// Examines, and returns when that is over: also where the task is cancelled, once the scan is off.
  ///
  /// - Parameters:
  ///   - checks: what is looked at.
  ///   - tell: gets each finding as soon as it and those before it are there.
  /// - Returns: the findings; fewer when the task was cancelled.
  public func examine(
    _ checks: [Check] = Check.allCases, _ tell: @Sendable (Finding) -> Void = { _ in }
  ) async -> [Finding] {
    let readings = Readings(settings, machine)
    let wanted = Check.allCases.filter(checks.contains)
    let tasks = wanted.filter { $0 != .listen }.map { check in
      Task { await find(check, readings) }
    }
    var findings: [Finding] = []
    func add(_ finding: Finding) {
      // What was cut short says nothing.
      guard !Task.isCancelled else { return }
      findings.append(finding)
      tell(finding)
    }
    await withTaskCancellationHandler {
      for task in tasks { add(await task.value) }
      // The others looked at an air in which nobody of us scanned.
      if wanted.contains(.listen), !Task.isCancelled { add(await find(.listen, readings)) }
    } onCancel: {
      for task in tasks { task.cancel() }
    }
    return findings
  }

  /// A check within its time.
  private func find(_ check: Check, _ readings: Readings) async -> Finding {
    let limit = check.limit + (check == .listen ? settings.listening : .zero)
    let finding: Finding? = await TimeLimit.run(limit, settings.clock) {
      await Examination(settings: settings, readings: readings).find(check)
    }
    return finding
      ?? Finding(
        check, .unknown, "this could not be found out in \(limit.roundedSeconds) s",
        remedy: "try it again; what it asks may hang")
  }
}
