import Glibc
import LunaCore
import LunaStore
import LunaTelemetry

/// Row 17: what recording costs.
enum TelemetryBenchmarks {
  /// Ten seconds of 5,000 events a second of 100 keys, as they come: some each hundredth of a second.
  static func logging() async throws {
    var template = Array("/tmp/luna-bench-telemetry.XXXXXX".utf8CString)
    guard let directory = mkdtemp(&template).map({ String(cString: $0) }) else { return }
    defer {
      for name in ["", "-wal", "-shm", ".lock"] { unlink("\(directory)/telemetry.data\(name)") }
      rmdir(directory)
    }
    var configuration = TelemetryConfiguration()
    configuration.state = StateDirectory(path: directory)
    Telemetry.enable(root: "bench", configuration: configuration)
    let keys = (0..<100).map { "key\($0)" }
    let (steps, each) = (1000, 50)
    let began = (seconds(CLOCK_MONOTONIC), seconds(CLOCK_PROCESS_CPUTIME_ID))
    try await withTelemetry("row") {
      var number = 0
      for step in 0..<steps {
        for _ in 0..<each {
          try TelemetryContext.current.logEvent(key: keys[number % keys.count])
          number += 1
        }
        let rest = began.0 + Double(step + 1) / 100 - seconds(CLOCK_MONOTONIC)
        if rest > 0 { usleep(UInt32(rest * 1e6)) }
      }
    }
    let wall = seconds(CLOCK_MONOTONIC) - began.0
    let processor = seconds(CLOCK_PROCESS_CPUTIME_ID) - began.1
    let status = await Telemetry.shared?.status()
    Measurement(
      row: 17, name: "5,000 logEvent a second of 100 keys", value: processor / wall * 100,
      unit: "percent of a core",
      details: [
        ("events_per_second", Double(steps * each) / wall),
        ("items", Double(status?.queue.waiting ?? 0)),
      ]
    ).report()
  }
}
