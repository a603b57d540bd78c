import BlueZ
import Bluetooth
import Diagnosis
import Testing

@testable import LunaDoctor

/// What kernel, driver, USB and other programs come to.
struct KernelJudgementTests {
  typealias Row = RadioJudgementTests.Row

  private static func kernel(
    _ name: String, _ change: (inout KernelSurvey) -> Void = { _ in }
  ) -> Finding {
    Judgement.kernel(KernelRelease(name), Facts.radio(change))
  }

  private static let mediaTek: @Sendable (inout KernelSurvey) -> Void = {
    $0.hardware = [0: Facts.usb(vendor: 0x0E8D)]
    $0.adapters[0].address = nil
  }

  static let kernel = [
    Row("a new one", .ok, "Linux 7.0.12, btusb: no fault known") { kernel("7.0.12") },
    Row("6.1 before its mending", .ok, "may fall silent") { kernel("6.1.40") },
    Row("Debian's 6.1 after it", .ok, "after a connection") {
      Judgement.kernel(Facts.old, Facts.radio())
    },
    Row("an old one", .warning, "cannot scan passively", "newer kernel") { kernel("5.4.0") },
    Row("btmtk", .failed, "radios of MediaTek", "7.0.10") { kernel("7.0.7", mediaTek) },
    Row("btmtk, 7.1-rc3", .failed, "radios of MediaTek", "7.0.10") {
      kernel("7.1.0-rc3", mediaTek)
    },
    Row("btmtk, stable", .failed, "radios of MediaTek", "7.0.10") { kernel("6.12.88", mediaTek) },
    Row("btmtk, 7.1", .ok, "no fault") { kernel("7.1.0", mediaTek) },
    Row("btmtk, another radio", .ok, "no fault") { kernel("7.0.7") },
    Row("btmtk, and it has started", .ok, "no fault") {
      kernel("7.0.7") { $0.hardware = [0: Facts.usb(vendor: 0x0E8D)] }
    },
    Row("without a name", .unknown, "cannot be read") { Judgement.kernel(nil, Facts.radio()) },
  ]

  private static func usb(
    _ control: String, _ status: String, _ release: KernelRelease?, scans: Bool = false
  ) -> Finding {
    Judgement.autosuspend(
      release, Facts.radio { $0.hardware = [0: Facts.usb(control: control, status: status)] },
      scans ? Facts.scanning : Facts.daemon)
  }

  static let autosuspend = [
    Row("off", .ok, "is off") { usb("on", "active", Facts.old) },
    Row("on, and the kernel is mended", .ok, "waits for a scan's end") {
      usb("auto", "active", Facts.release)
    },
    Row("on", .warning, "may suspend hci0", "/sys/bus/usb/devices/1-1.4/power/control") {
      usb("auto", "active", Facts.old)
    },
    Row("stuck", .failed, "hears nothing", "echo on | sudo tee") {
      usb("auto", "suspended", Facts.old, scans: true)
    },
    Row("asleep, and nobody scans", .warning, "may suspend", "tee") {
      usb("auto", "suspended", Facts.old)
    },
    Row("no USB", .ok, "no USB device") {
      Judgement.autosuspend(
        Facts.old, Facts.radio { $0.hardware = [0: AdapterHardware(index: 0)] }, nil)
    },
    Row("nobody", .unknown, "no adapter") {
      Judgement.autosuspend(Facts.old, Facts.radio { $0.adapters = [] }, nil)
    },
  ]

  private static func others(
    _ neighbours: NeighbourSurvey, _ daemon: DaemonSurvey? = Facts.daemon,
    _ change: (inout KernelSurvey) -> Void = { _ in }
  ) -> Finding {
    Judgement.scanner(Facts.radio(change), daemon, neighbours)
  }

  private static let bluetoothd = NeighbourSurvey.Program(name: "bluetoothd", use: .management)

  static let scanner = [
    Row("nobody", .ok, "nobody else scans") {
      others(NeighbourSurvey(programs: [bluetoothd], holders: ["bluetoothd (312)"]))
    },
    Row("a client of bluetoothd", .warning, "has bluetoothd scan", "bluetoothctl") {
      others(NeighbourSurvey(programs: [bluetoothd], reports: [0: 9]), Facts.scanning)
    },
    Row("a gateway of ours", .ok, "luna (7) scans too") {
      others(
        NeighbourSurvey(
          programs: [bluetoothd, .init(name: "luna", use: .management)],
          holders: ["bluetoothd (312)", "luna (7)"], reports: [0: 9]), Facts.scanning)
    },
    Row("past bluetoothd", .warning, "btmgmt (9) scans past bluetoothd", "end it") {
      others(
        NeighbourSurvey(
          programs: [.init(name: "btmgmt", use: .management)], holders: ["btmgmt (9)"],
          reports: [0: 4]))
    },
    Row("paired devices", .ok, "that are paired") {
      others(NeighbourSurvey(programs: [bluetoothd], reports: [0: 1]))
    },
    Row("raw", .warning, "hcitool sends HCI commands", "end that program") {
      others(NeighbourSurvey(programs: [.init(name: "hcitool", use: .raw, adapter: 0)]))
    },
    Row("raw, of another adapter", .ok, "nobody else scans") {
      others(NeighbourSurvey(programs: [.init(name: "hcitool", use: .raw, adapter: 3)]))
    },
    Row("exclusive, by the monitor", .failed, "btproxy (44) has hci0 for itself", "another adapter")
    {
      others(
        NeighbourSurvey(
          programs: [.init(name: "btproxy", use: .exclusive, adapter: 0)],
          holders: ["btproxy (44)"]
        ), nil
      ) { $0.adapters = [Facts.adapter(0, .exclusive)] }
    },
    Row("exclusive, by /proc", .failed, "btproxy (44) has hci0", "end that program") {
      others(NeighbourSurvey(couldListen: false), nil) {
        $0.adapters = [Facts.adapter(0, .exclusive)]
        $0.adapters[0].users = ["btproxy (44)"]
      }
    },
    Row("without rights", .ok, "cannot be seen without CAP_NET_RAW") {
      others(NeighbourSurvey(couldListen: false))
    },
    Row("without rights and daemon", .unknown, "CAP_NET_RAW") {
      others(NeighbourSurvey(couldListen: false), DaemonSurvey(.notRunning))
    },
  ]

  private static func silence(
    _ kind: SourceError.Kind, _ daemon: DaemonSurvey? = Facts.daemon,
    refusals: [NeighbourSurvey.Refusal] = [], _ release: KernelRelease? = Facts.old,
    _ change: (inout KernelSurvey) -> Void = { _ in }
  ) -> Finding {
    var facts = ListenFacts(
      name: "dbus", seconds: 5,
      error: SourceError(kind, "org.bluez.Error.InProgress", remedy: "wait"))
    facts.neighbours.refusals = refusals
    return Judgement.listen(facts, Facts.radio(change), daemon, release)
  }

  static let listen = [
    Row("heard", .ok, "heard 1 advertiser in 5 s (observe:hci0, 4 advertisements)") {
      Judgement.listen(
        ListenFacts(name: "observe:hci0", advertisers: 1, reports: 4, seconds: 5), Facts.radio(),
        nil, nil)
    },
    Row("nothing there", .warning, "heard nothing", "antenna") {
      Judgement.listen(ListenFacts(name: "observe:hci0", seconds: 5), Facts.radio(), nil, nil)
    },
    Row("could not look", .failed, "could not listen: org.bluez.Error.InProgress", "wait") {
      silence(.busy)
    },
    Row("InProgress: the kernel refused", .failed, "refuses Start Discovery on hci0: Busy", "wait")
    {
      silence(.busy, refusals: [.init(command: "Start Discovery", status: "Busy")])
    },
    Row("InProgress: USB", .failed, "USB has suspended it", "tee") {
      silence(.busy, Facts.scanning) {
        $0.hardware = [0: Facts.usb(control: "auto", status: "suspended")]
      }
    },
    Row("InProgress: somebody, or USB", .failed, "or for nobody since USB suspended it", "tee") {
      silence(.busy, Facts.scanning) { $0.hardware = [0: Facts.usb(control: "auto")] }
    },
    Row("InProgress: somebody", .failed, "another program has hci0 scan", "wait") {
      silence(.busy, Facts.scanning)
    },
    Row("NotReady: rfkill", .failed, "rfkill blocks hci0", "rfkill unblock") {
      silence(.off) { $0.adapters = [Facts.adapter(0, .softBlocked)] }
    },
    Row("NotReady: a key", .failed, "a switch of the machine", "key for wireless") {
      silence(.off) { $0.adapters = [Facts.adapter(0, .hardBlocked)] }
    },
    Row("NotReady: power", .failed, "hci0 is off", "power on") {
      silence(.off) { $0.adapters = [Facts.adapter(0, .down)] }
    },
    Row("exclusive", .failed, "another program has hci0 for itself", "wait") {
      silence(.busy) { $0.adapters = [Facts.adapter(0, .exclusive)] }
    },
    Row("what says itself what is wrong", .failed, "could not listen: hci0 is off", "power on") {
      Judgement.listen(
        ListenFacts(
          name: "observe", seconds: 5,
          error: SourceError(.off, "hci0 is off", remedy: "\(.powerOnAdapter("hci0"))")),
        Facts.radio { $0.adapters = [Facts.adapter(0, .down)] }, Facts.daemon, Facts.old)
    },
    Row("no permission", .failed, "could not listen: org.bluez", "wait") {
      silence(.noPermission) { $0.adapters = [Facts.adapter(0, .down)] }
    },
  ]

  @Test(arguments: kernel + autosuspend + scanner + listen)
  func isFound(row: Row) { row.check() }
}
