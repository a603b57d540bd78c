import BlueZ
import Bluetooth
import LunaClient
import LunaLocation
import LunaStore
import Synchronization

@testable import LunaDoctor

/// A machine that tells what a test says, or hangs.
final class FakeMachine: Machine {
  struct Script: Sendable {
    var kernel = Facts.kernel()
    var daemon = Facts.daemon
    var backend = BackendExamination(secondsAhead: 0)
    var listen = ListenFacts(name: "observe:hci0", advertisers: 3, reports: 20, seconds: 5)
    /// The readings that do not end, by name.
    var hanging: Set<String> = []
    /// The readings that were asked for, in their order.
    var asked: [String] = []
  }

  let script: Mutex<Script>

  init(_ change: (inout Script) -> Void = { _ in }) {
    var script = Script()
    change(&script)
    self.script = Mutex(script)
  }

  private func read<Value: Sendable>(
    _ name: String, _ value: @Sendable (Script) -> Value
  ) async -> Value {
    let hangs = script.withLock { script in
      script.asked.append(name)
      return script.hanging.contains(name)
    }
    // A call that does not heed that its task is cancelled.
    while hangs { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
    return script.withLock { value($0) }
  }

  func kernel() async -> KernelSurvey { await read("kernel") { $0.kernel } }
  func daemon() async -> DaemonSurvey { await read("daemon") { $0.daemon } }

  func daemonVersion(of process: Int32?) async -> String? {
    await read("version") { _ in "5.66" }
  }

  func release() async -> KernelRelease? { await read("release") { _ in Facts.release } }
  func neighbours() async -> NeighbourSurvey { await read("neighbours") { _ in NeighbourSurvey() } }
  func isClockSynchronised() async -> Bool? { await read("clock") { _ in true } }

  func location(_ choice: LocationChoice) async -> LocationFacts {
    await read("location") { _ in
      LocationFacts(choice: choice, name: "gpsd at localhost:2947", seconds: 6)
    }
  }

  func backend() async -> BackendExamination { await read("backend") { $0.backend } }

  func queue(in directory: StateDirectory) async -> QueueFacts {
    await read("queue") { _ in QueueFacts(now: Timestamp(microseconds: 0)) }
  }

  func disk(of directory: StateDirectory) async -> DiskFacts {
    await read("disk") { _ in DiskFacts(path: directory.path) }
  }

  func state(_ directory: StateDirectory) async -> StateFacts {
    await read("state") { _ in StateFacts(path: directory.path, user: 1000) }
  }

  func units() async -> UnitFacts {
    await read("units") { _ in UnitFacts(hasSystemd: false, version: "0.2.0") }
  }

  func listen() async -> ListenFacts { await read("listen") { $0.listen } }
}
