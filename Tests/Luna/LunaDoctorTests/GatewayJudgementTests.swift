import Bluetooth
import Diagnosis
import LunaClient
import LunaCore
import LunaLocation
import LunaStore
import Testing

@testable import LunaDoctor

/// What clock, location, backend, queue, disk, state directory and services come to.
struct GatewayJudgementTests {
  typealias Row = RadioJudgementTests.Row

  private static let now = Timestamp(microseconds: 1_790_000_000_000_000)

  private static func clock(
    _ synchronised: Bool?, _ ahead: Int64? = nil, now: Timestamp = now
  ) -> Finding {
    Judgement.clock(ClockFacts(now: now, isSynchronised: synchronised, secondsAhead: ahead))
  }

  static let clocks = [
    Row("right", .ok, "is synchronised; it agrees with the backend's") { clock(true, 1) },
    Row("right, no backend", .ok, "is synchronised") { clock(true) },
    Row("free", .warning, "nobody keeps", "which needs systemd-timesyncd") { clock(false, 0) },
    Row("slow", .warning, "30 s behind", "set-ntp") { clock(false, 30) },
    Row("very slow", .failed, "2 h behind", "set-ntp") { clock(false, 7200) },
    Row("fast", .failed, "2 min ahead of", "set-ntp") { clock(nil, -120) },
    Row("the backend's?", .warning, "it may be the backend's", "third") { clock(true, 120) },
    Row("1970", .failed, "1970-01-01", "set-ntp") {
      clock(false, now: Timestamp(microseconds: 5_000_000))
    },
    Row("not told", .unknown, "cannot be told") { clock(nil) },
    Row("not told, and right", .ok, "agrees") { clock(nil, 0) },
  ]

  private static func place(
    _ update: LocationUpdate?, _ choice: LocationChoice = .gpsd(host: "localhost", port: 2947)
  ) -> Finding {
    Judgement.location(
      LocationFacts(choice: choice, name: "gpsd at localhost:2947", update: update, seconds: 6))
  }

  static let locations = [
    Row("fix", .ok, "has a fix, to 4 m") {
      place(.fix(LocationFix(latitude: 52, longitude: 13, horizontalAccuracy: 4.2)))
    },
    Row("simulated", .warning, "simulated", "simulator") {
      place(.fix(LocationFix(latitude: 52, longitude: 13, isSimulated: true)))
    },
    Row("no accuracy that can be", .ok, "has a fix") {
      place(.fix(LocationFix(latitude: 52, longitude: 13, horizontalAccuracy: .infinity)))
    },
    Row("no fix", .failed, "the receiver has no fix", "open sky") { place(.refused(.noFix)) },
    Row("stale", .failed, "more than 30 s old", "gpsd.socket") { place(.refused(.stale)) },
    Row("date", .failed, "date cannot be", "clock") { place(.refused(.impossibleDate)) },
    Row("nonsense", .failed, "coordinates", "gpsmon") { place(.refused(.impossiblePosition)) },
    Row("gpsd is down", .failed, "refused", "start gpsd.socket") {
      place(.unavailable("cannot connect to gpsd: refused"))
    },
    Row("gpsd elsewhere", .failed, "refused", "runs on pi") {
      place(.unavailable("refused"), .gpsd(host: "pi", port: 2947))
    },
    Row("GeoClue", .failed, "not there", "geoclue-2.0") {
      place(.unavailable("not there"), .geoclue)
    },
    Row("silence", .failed, "no position in 6 s", "fixed place") { place(nil) },
  ]

  private static func backend(
    _ kind: BackendError.Kind?, token: BackendError? = nil
  ) -> Finding {
    let problem = kind.map { BackendError($0, "it is so", remedy: $0 == .failed ? nil : "do it") }
    return Judgement.backend(
      "https://luna.example", BackendExamination(problem: problem, refusal: token))
  }

  static let backends = [
    Row("well", .ok, "https://luna.example answers and knows the token") { backend(nil) },
    Row("down", .failed, "it is so", "do it") { backend(.unreachable) },
    Row("TLS", .failed, "it is so", "do it") { backend(.untrusted) },
    Row("busy", .warning, "it is so", "do it") { backend(.busy) },
    Row("500", .failed, "it is so", "log of the backend") { backend(.failed) },
    Row("401", .failed, "does not know the token", "enrol") {
      backend(
        nil, token: BackendError(.refused, "it does not know the token", remedy: "\(.enrolment)"))
    },
    Row("none", .ok, "no backend") { Judgement.backend(nil, nil) },
  ]

  private static func queue(
    backend: Bool = true, _ change: (inout QueueStatus) -> Void
  ) -> Finding {
    var status = QueueStatus()
    status.limit = 1000
    change(&status)
    return Judgement.queue(QueueFacts(status: status, now: now), hasBackend: backend)
  }

  private static func ago(_ seconds: Int64) -> Timestamp {
    Timestamp(microseconds: now.microseconds - seconds * 1_000_000)
  }

  static let queues = [
    Row("empty", .ok, "0 of 1000 events wait") { queue { _ in } },
    Row("young", .ok, "9 of 1000 events wait; an outage of 9 h still fits") {
      queue {
        $0.waiting = 9
        $0.oldest = ago(60)
        $0.eventsPerHour = 100
      }
    },
    Row("old", .warning, "the first for 3 h", "see backend") {
      queue {
        $0.waiting = 9
        $0.oldest = ago(3 * 3600)
      }
    },
    Row("old, no backend", .warning, "3 h", "name") {
      queue(backend: false) {
        $0.waiting = 9
        $0.oldest = ago(3 * 3600)
      }
    },
    // A bit of the file that has turned over.
    Row("before all time", .ok, "9 of 1000 events wait") {
      queue {
        $0.waiting = 9
        $0.oldest = Timestamp(microseconds: .min)
      }
    },
    Row("full", .failed, "it is full", "see backend") { queue { $0.waiting = 1000 } },
    Row("refused", .warning, "never take 4 more (malformed)", "dropped") {
      queue { $0.setAside = ["malformed": 4] }
    },
    Row("damaged", .failed, "is damaged", "backup") {
      Judgement.queue(
        QueueFacts(error: DeviceStoreError(.damaged, "q is damaged", remedy: "a backup"), now: now),
        hasBackend: true)
    },
    Row("another user's", .unknown, "denied") {
      Judgement.queue(
        QueueFacts(error: DeviceStoreError(.denied, "denied"), now: now), hasBackend: true)
    },
    Row("none", .ok, "there is no queue") {
      Judgement.queue(QueueFacts(now: now), hasBackend: true)
    },
  ]

  private static func disk(_ change: (inout DiskFacts) -> Void) -> Finding {
    var facts = DiskFacts(path: "/var/lib/luna")
    change(&facts)
    return Judgement.disk(facts)
  }

  static let disks = [
    Row("room", .ok, "1024 GiB free at /var/lib/luna") { disk { _ in } },
    Row("little", .warning, "50 MiB free", "free some space") { disk { $0.free = 50 << 20 } },
    Row("none", .failed, "12 KiB free", "free some space") { disk { $0.free = 12 << 10 } },
    Row("no inodes", .failed, "no more files", "free some space") { disk { $0.freeFiles = 0 } },
    Row("read-only", .failed, "mounted read-only", "dmesg") { disk { $0.isReadOnly = true } },
    Row("another's", .failed, "may not write", "see state") { disk { $0.isWritable = false } },
    Row("not there, and not ours to make", .failed, "write in /var/lib", "use another directory") {
      disk {
        $0.path = "/var/lib"
        $0.isThere = false
        $0.isWritable = false
      }
    },
    Row("gone", .failed, "Stale file handle", "another directory") {
      disk { $0.problem = "Stale file handle" }
    },
  ]

  private static func state(_ change: (inout StateFacts, inout StateFacts.Place) -> Void) -> Finding
  {
    var facts = StateFacts(path: "/srv/luna", user: 1000)
    var place = StateFacts.Place(owner: 1000, ownerName: "ada", mode: 0o700)
    change(&facts, &place)
    facts.place = place
    return Judgement.state(facts)
  }

  static let states = [
    Row("ours", .ok, "belongs to ada alone") { state { _, _ in } },
    Row("open", .warning, "others can look", "chmod go= /srv/luna") { state { $1.mode = 0o755 } },
    Row("another's", .failed, "belongs to user 7", "as root") {
      state {
        $1.owner = 7
        $1.ownerName = nil
        $1.isUsable = false
      }
    },
    Row("another's, and open", .warning, "who can read the keys", "another directory") {
      state { $1.owner = 7 }
    },
    Row("read-only", .unknown, "mounted read-only (see disk)") {
      state {
        $1.isReadOnly = true
        $1.isUsable = false
      }
    },
    Row("ours, and closed", .failed, "may not use it", "chmod u+rwx /srv/luna") {
      state {
        $1.mode = 0o500
        $1.isUsable = false
      }
    },
    Row("root's", .failed, "belongs to root", "sudo chown -R $USER /srv/luna") {
      state { $1 = StateFacts.Place(owner: 0, ownerName: "root", mode: 0o700, isUsable: false) }
    },
    Row("behind a closed door", .failed, "/srv/luna: Permission denied", "as root") {
      Judgement.state(StateFacts(path: "/srv/luna", problem: "Permission denied", user: 1000))
    },
    Row("a service's, seen by root", .ok, "ada alone") { state { facts, _ in facts.user = 0 } },
    Row("a file", .failed, "no directory", "another directory") {
      state { $1.isDirectory = false }
    },
    Row("damaged", .failed, "is damaged", "backup") {
      state { facts, _ in
        facts.errors = [DeviceStoreError(.damaged, "d is damaged", remedy: "a backup")]
      }
    },
    Row("replaced", .warning, "d.replaced-1", "delete it") {
      state { facts, _ in facts.replaced = ["/srv/luna/d.replaced-1"] }
    },
    Row("a token for all", .failed, "holds a secret", "chmod go= /srv/luna/gateway.token") {
      state { facts, _ in facts.openFiles = ["/srv/luna/gateway.token"] }
    },
    Row("none yet", .ok, "not there yet") {
      Judgement.state(StateFacts(path: "/srv/luna", user: 1000))
    },
  ]

  private static func units(_ change: (inout UnitFacts.Unit) -> Void) -> Finding {
    var unit = UnitFacts.Unit(name: "luna-finder.service", version: "0.2.0")
    change(&unit)
    return Judgement.units(
      UnitFacts(
        units: [unit, UnitFacts.Unit(name: "luna-backend.service")], version: "0.2.0"))
  }

  static let services = [
    Row("run", .ok, "luna-finder runs, luna-backend runs") { units { _ in } },
    Row("failed", .failed, "luna-finder has failed (exit code 4)", "journalctl -u luna-finder") {
      units {
        $0.active = "failed"
        $0.result = "exit-code"
        $0.exitStatus = 4
      }
    },
    Row("fails again and again", .failed, "again and again (watchdog)", "journalctl") {
      units {
        $0.active = "activating"
        $0.sub = "auto-restart"
        $0.result = "watchdog"
      }
    },
    Row("stopped", .failed, "enabled and does not run", "systemctl start luna-finder.service") {
      units { $0.active = "inactive" }
    },
    Row("not wanted", .ok, "luna-finder is installed and not in use") {
      units {
        $0.active = "inactive"
        $0.file = "disabled"
      }
    },
    Row("outdated", .warning, "before the last upgrade", "systemctl restart") {
      units { $0.isOutdated = true }
    },
    Row("reload", .warning, "has changed", "daemon-reload") { units { $0.needsReload = true } },
    Row("another version", .warning, "is Luna 0.1.0, and this is 0.2.0", "same version") {
      units { $0.version = "0.1.0" }
    },
    Row("none", .ok, "no service") { Judgement.units(UnitFacts(version: "0.2.0")) },
    Row("no systemd", .ok, "systemd does not run") {
      Judgement.units(UnitFacts(hasSystemd: false, version: "0.2.0"))
    },
    Row("no answer", .unknown, "cannot be asked") {
      Judgement.units(UnitFacts(problem: "it hangs", version: "0.2.0"))
    },
  ]

  @Test(arguments: clocks + locations + backends + queues + disks + states + services)
  func isFound(row: Row) { row.check() }

  static let notOurs: [Finding] = [
    disk {
      $0.path = "/var/lib"
      $0.isThere = false
      $0.isWritable = false
    },
    state { $1 = StateFacts.Place(owner: 0, ownerName: "root", mode: 0o755, isUsable: false) },
    state { $1 = StateFacts.Place(owner: 107, ownerName: "luna-finder", mode: 0o700) },
    state { $1 = StateFacts.Place(owner: 0, ownerName: "root", mode: 0o777) },
  ]

  /// A whole directory of the system's, or one of a service's, is nobody's to take.
  @Test(arguments: notOurs)
  func leavesDirectoriesToTheSystem(finding: Finding) {
    #expect(finding.state != .ok)
    #expect(finding.remedy?.description.contains("chown") == false)
  }

  /// What systemctl show tells of two units, one of which runs.
  @Test func readsWhatSystemdTells() throws {
    let text = """
      ExecMainStartTimestamp=@1790000000
      ExecStart={ path=/usr/bin/luna ; argv[]=/usr/bin/luna finder --state /x ; ignore_errors=no }
      Id=luna-finder.service
      ActiveState=active
      SubState=running
      UnitFileState=enabled
      NeedDaemonReload=yes
      ExecMainStatus=0
      Result=success

      Id=luna-backend.service
      ActiveState=failed
      ExecMainStatus=7
      Result=exit-code
      ExecMainStartTimestamp=
      """
    let blocks = UnitBlock.blocks(text)
    try #require(blocks.count == 2)
    let first = blocks[0].unit
    #expect(first.name == "luna-finder.service" && first.program == "/usr/bin/luna")
    #expect(first.needsReload && first.active == "active" && first.file == "enabled")
    #expect(blocks[0].startedAt == 1_790_000_000)
    #expect(blocks[1].startedAt == nil)
    #expect(blocks[1].unit.exitStatus == 7 && blocks[1].unit.program == nil)
    #expect(first.isLuna && !blocks[1].unit.isLuna)
    let other = UnitBlock.blocks("Id=luna-display.service\nExecStart={ path=/opt/fluna ; x }")
    #expect(other.map(\.unit.isLuna) == [false])
    #expect(UnitBlock.blocks("").isEmpty)
  }
}
