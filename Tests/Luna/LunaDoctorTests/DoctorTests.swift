import BlueZ
import Bluetooth
import LunaClient
import LunaCore
import LunaStore
import LunaTesting
import Synchronization
import Testing

@testable import LunaDoctor

/// A doctor at a machine that is scripted.
@Suite(.timeLimit(.minutes(10)))
struct DoctorTests {
  /// A clock whose waits end when a test says so, or their task is cancelled.
  private final class Alarms: Sendable {
    private struct State {
      var sleepers: [Int: (duration: Duration, continuation: CheckedContinuation<Void, Never>)] =
        [:]
      var cancelled: Set<Int> = []
      var count = 0
      /// How long those are, or were, that have begun.
      var begun: [Duration] = []
      var isOver = false
    }

    private let state = Mutex(State())

    var clock: WallClock {
      WallClock(
        now: { Timestamp(microseconds: 1_790_000_000_000_000) }, elapsed: { .zero },
        sleep: { [self] in try await sleep($0) })
    }

    private func sleep(_ duration: Duration) async throws {
      let number = state.withLock { state in
        state.count += 1
        return state.count
      }
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let isOver = state.withLock { state in
            state.begun.append(duration)
            if state.isOver || state.cancelled.contains(number) { return true }
            state.sleepers[number] = (duration, continuation)
            return false
          }
          if isOver { continuation.resume() }
        }
      } onCancel: {
        let sleeper = state.withLock { state in
          state.cancelled.insert(number)
          return state.sleepers.removeValue(forKey: number)
        }
        sleeper?.continuation.resume()
      }
      try Task.checkCancellation()
    }

    /// How many have begun to wait for longer than a time.
    func begun(longerThan limit: Duration) -> Int {
      state.withLock { $0.begun.count { $0 > limit } }
    }

    /// How many wait for longer than a time.
    func waiting(longerThan limit: Duration) -> Int {
      state.withLock { $0.sleepers.values.count { $0.duration > limit } }
    }

    /// The waits that are no longer than a time are over.
    func ring(upTo limit: Duration) {
      let rung = state.withLock { state in
        let rung = state.sleepers.filter { $0.value.duration <= limit }
        for number in rung.keys { state.sleepers[number] = nil }
        return rung
      }
      for sleeper in rung.values { sleeper.continuation.resume() }
    }

    /// All waits are over, also those to come.
    func ring() {
      state.withLock { $0.isOver = true }
      ring(upTo: .seconds(3600))
    }
  }

  private func settings(_ alarms: Alarms = Alarms()) -> DoctorSettings {
    var settings = DoctorSettings()
    settings.state = StateDirectory(path: "/var/lib/luna")
    settings.clock = alarms.clock
    return settings
  }

  @Test func findsNothingWhereAllIsWell() async {
    let findings = await Doctor(settings(), machine: FakeMachine()).examine()
    #expect(findings.map(\.check) == Check.allCases)
    #expect(findings.filter { $0.state != .ok } == [])
    #expect(
      findings.filter { !$0.isApplicable }.map(\.check)
        == [.location, .backend, .queue, .state, .units])
    #expect(findings.last?.cause == "heard 3 advertisers in 5 s (observe:hci0, 20 advertisements)")
  }

  @Test func streamsTheSame() async {
    var names: [String] = []
    for await finding in Doctor(settings(), machine: FakeMachine()).findings {
      names.append(finding.check.rawValue)
    }
    #expect(names == Check.allCases.map(\.rawValue))
  }

  @Test func looksAtWhatIsAskedForAlone() async {
    let machine = FakeMachine()
    let findings = await Doctor(settings(), machine: machine).examine([.disk, .rfkill])
    #expect(findings.map(\.check) == [.rfkill, .disk])
    #expect(machine.script.withLock { Set($0.asked) } == ["disk", "kernel"])
  }

  @Test func readsOnceWhatSeveralNeed() async {
    let machine = FakeMachine()
    _ = await Doctor(settings(), machine: machine).examine(
      Check.allCases.filter { $0 != .listen })
    let asked = machine.script.withLock { $0.asked }
    #expect(asked.count { $0 == "kernel" } == 1)
    #expect(asked.count { $0 == "daemon" } == 1)
  }

  /// Every reading that hangs stops those that need it, and nobody else.
  @Test(arguments: [
    (
      "kernel",
      [
        Check.adapter, .power, .rfkill, .bluetoothd, .dbus, .capabilities, .namespace, .kernel,
        .autosuspend, .scanner,
      ]
    ),
    ("daemon", [.bluetoothd, .dbus]), ("disk", [.disk]), ("units", [.units]),
    ("neighbours", [.scanner]), ("listen", [.listen]),
  ])
  func doesNotWaitForWhatHangs(reading: String, unknown: [Check]) async {
    let alarms = Alarms()
    let machine = FakeMachine { $0.hanging = [reading] }
    let doctor = Doctor(settings(alarms), machine: machine)
    async let all = doctor.examine()
    while !machine.script.withLock({ $0.asked.contains(reading) }) { await Task.yield() }
    // Those that do not hang are done long before, once they have begun, all but the last one at once.
    while alarms.begun(longerThan: .seconds(8)) < Check.allCases.count - 1
      || alarms.waiting(longerThan: .seconds(8)) > unknown.count
    {
      alarms.ring(upTo: .seconds(8))
      await Task.yield()
    }
    alarms.ring()
    let findings = await all
    #expect(findings.map(\.check) == Check.allCases)
    let stuck = findings.filter { $0.cause.hasPrefix("this could not be found out in") }
    // The last alarm rings for whatever begins then.
    let checks = Set(stuck.map(\.check).filter { $0 != .listen || reading == "listen" })
    #expect(checks == Set(unknown))
    #expect(stuck.allSatisfy { $0.state == .unknown && $0.remedy != nil })
  }

  @Test func needsNoAdapterForARadioOfItsOwn() async throws {
    let port = ClosedPort()
    let path = "h4:tcp:127.0.0.1:\(port.number)"
    var settings = settings()
    settings.radio = AdapterRadio(try RadioPath(path))
    let machine = FakeMachine { $0.kernel = KernelSurvey(sockets: .refused("EPERM")) }
    let findings = await Doctor(settings, machine: machine).examine([.adapter, .power, .scanner])
    #expect(findings.allSatisfy { $0.state == .ok && !$0.isApplicable })
    #expect(findings.first?.cause.contains(path) == true)
    #expect(machine.script.withLock { $0.asked } == [])
    withExtendedLifetime(port) {}
  }

  @Test func explainsWhyItCannotListen() async {
    let machine = FakeMachine { script in
      script.listen = ListenFacts(
        name: "dbus", seconds: 5, error: SourceError(.busy, "org.bluez.Error.InProgress"))
      script.listen.neighbours.refusals = [.init(command: "Start Discovery", status: "Busy")]
    }
    let finding = await Doctor(settings(), machine: machine).examine([.listen]).first
    #expect(finding?.state == .failed)
    #expect(
      finding?.cause
        == "could not listen: the kernel refuses Start Discovery on hci0: Busy "
        + "(org.bluez.Error.InProgress)")
  }

  @Test func comparesTheClockWithTheBackends() async {
    var settings = settings()
    settings.backend = ClientConfiguration(url: "https://luna.example")
    let machine = FakeMachine { $0.backend = BackendExamination(secondsAhead: -600) }
    let findings = await Doctor(settings, machine: machine).examine([.clock, .backend])
    #expect(findings.map(\.state) == [.warning, .ok])
    #expect(findings.first?.cause.contains("10 min ahead of") == true)
  }

  @Test func endsWhenItsTaskIsCancelled() async {
    let machine = FakeMachine { $0.hanging = ["disk"] }
    let alarms = Alarms()
    let task = Task { [settings = settings(alarms)] in
      await Doctor(settings, machine: machine).examine([.disk, .listen])
    }
    while !machine.script.withLock({ $0.asked.contains("disk") }) { await Task.yield() }
    task.cancel()
    alarms.ring()
    #expect(await task.value == [])
    #expect(!machine.script.withLock { $0.asked.contains("listen") })
  }
}
