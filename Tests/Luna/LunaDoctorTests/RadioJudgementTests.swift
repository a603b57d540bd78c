import BlueZ
import Bluetooth
import Diagnosis
import Testing

@testable import LunaDoctor

/// What the adapter, its switches and bluetoothd come to.
struct RadioJudgementTests {
  /// A case of a table: what is so, and what is to be found.
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let state: CheckState
    let cause: String
    let remedy: String?
    let find: @Sendable () -> Finding

    init(
      _ name: String, _ state: CheckState, _ cause: String, _ remedy: String? = nil,
      _ find: @escaping @Sendable () -> Finding
    ) {
      self.name = name
      self.state = state
      self.cause = cause
      self.remedy = remedy
      self.find = find
    }

    var testDescription: String { name }

    func check() {
      let finding = find()
      #expect(finding.state == state, "\(name): \(finding.cause)")
      #expect(finding.cause.contains(cause), "\(name): \(finding.cause)")
      let told = finding.remedy?.description
      if let remedy {
        #expect(told?.contains(remedy) == true, "\(name): \(told ?? "nothing to do")")
      } else {
        #expect(told == nil, "\(name): \(told ?? "")")
      }
      // What does not work has something to be done about it.
      if finding.state == .failed { #expect(told != nil, "\(name)") }
    }
  }

  private static let none: @Sendable (inout KernelSurvey) -> Void = {
    $0.adapters = []
    $0.hardware = [:]
    $0.switches = []
  }

  private static func inState(_ state: AdapterState) -> RadioFacts {
    Facts.radio { $0.adapters = [Facts.adapter(0, state)] }
  }

  private static let absent = KernelSurvey.Sockets.absent(
    kernelHasBluetooth: true, "socket: Address family not supported by protocol")

  static let adapter = [
    Row("there", .ok, "hci0 00:11:22:33:44:00, usb (btusb), Bluetooth 5.3") {
      Judgement.adapter(Facts.radio(), nil)
    },
    Row("none", .failed, "the kernel lists no Bluetooth adapter", "plug one in") {
      Judgement.adapter(Facts.radio(none), nil)
    },
    Row("none, and a switch cuts its power", .failed, "rfkill blocks", "rfkill unblock") {
      Judgement.adapter(
        Facts.radio {
          $0.adapters = []
          $0.switches = [RFKillSwitch(number: 1, name: "tpacpi", state: .soft)]
        }, nil)
    },
    Row("another one", .failed, "there is no adapter hci7", "hci0 (00:11:22:33:44:00)") {
      Judgement.adapter(Facts.radio(wanted: [.index(7)]), nil)
    },
    Row("the one", .ok, "hci1") {
      Judgement.adapter(
        Facts.radio(wanted: [.address(BluetoothAddress(value: 0x0011_2233_4401))]) {
          $0.adapters.append(Facts.adapter(1))
        }, nil)
    },
    Row("two", .ok, "and 1 more") {
      Judgement.adapter(Facts.radio { $0.adapters.append(Facts.adapter(1)) }, nil)
    },
    Row("Classic only", .failed, "has no Bluetooth LE", "another adapter") {
      Judgement.adapter(Facts.radio { $0.adapters[0].features = [] }, nil)
    },
    Row("without firmware", .failed, "waits for its configuration", "dmesg") {
      Judgement.adapter(inState(.unconfigured), nil)
    },
    Row("taken", .ok, "hci0") { Judgement.adapter(inState(.exclusive), nil) },
    Row("a container", .failed, "no Bluetooth sockets", "see namespace") {
      Judgement.adapter(Facts.radio { $0.sockets = absent }, nil)
    },
    Row("a container with the bus", .ok, "bluetoothd has hci0") {
      Judgement.adapter(Facts.radio { $0.sockets = absent }, Facts.daemon)
    },
    Row("a kernel that hangs", .unknown, "does not answer", "dmesg") {
      Judgement.adapter(Facts.radio { $0.problem = "the management does not answer" }, nil)
    },
  ]

  static let power = [
    Row("on", .ok, "hci0 is on") { Judgement.power(Facts.radio(), Facts.daemon) },
    Row("off", .failed, "hci0 is off", "bluetoothctl power on") {
      Judgement.power(inState(.down), nil)
    },
    Row("off, of several", .failed, "hci0 is off", "/org/bluez/hci0 org.bluez.Adapter1 Powered") {
      Judgement.power(
        Facts.radio(wanted: [.index(0)]) {
          $0.adapters = [Facts.adapter(0, .down), Facts.adapter(1)]
        }, nil)
    },
    Row("off, and nobody is in charge of it", .ok, "a scan switches it on") {
      Judgement.power(inState(.down), DaemonSurvey(.notRunning))
    },
    Row("off, and not ours to switch on", .failed, "no bluetoothd", "start bluetooth") {
      Judgement.power(
        Facts.radio {
          $0.adapters = [Facts.adapter(0, .down)]
          $0.mayAdminister = false
        }, DaemonSurvey(.notRunning))
    },
    Row("soft block", .failed, "rfkill blocks", "then run: bluetoothctl power on") {
      Judgement.power(inState(.softBlocked), nil)
    },
    Row("hard block", .failed, "rfkill blocks", "lift the block") {
      Judgement.power(inState(.hardBlocked), nil)
    },
    Row("taken", .unknown, "in exclusive use") { Judgement.power(inState(.exclusive), nil) },
    Row("nobody", .unknown, "no adapter") { Judgement.power(Facts.radio(none), nil) },
    Row("NotReady", .failed, "bluetoothd takes it for off", "restart bluetooth") {
      Judgement.power(
        Facts.radio(), DaemonSurvey(.answers, radios: [.init(index: 0, isPowered: false)]))
    },
    Row("a container with the bus", .ok, "says bluetoothd") {
      Judgement.power(
        Facts.radio {
          none(&$0)
          $0.sockets = absent
        }, Facts.daemon)
    },
    Row("the second is on", .ok, "hci1 is on") {
      Judgement.power(
        Facts.radio { $0.adapters = [Facts.adapter(0, .down), Facts.adapter(1)] }, nil)
    },
  ]

  private static func switches(_ switches: RFKillSwitch...) -> RadioFacts {
    Facts.radio { $0.switches = switches }
  }

  static let rfkill = [
    Row("open", .ok, "nothing is blocked") { Judgement.rfkill(Facts.radio()) },
    Row("soft", .failed, "hci0 is blocked in software", "run: sudo rfkill unblock bluetooth") {
      Judgement.rfkill(switches(RFKillSwitch(number: 0, name: "hci0", state: .soft)))
    },
    Row("hard", .failed, "a switch of the machine", "key for wireless") {
      Judgement.rfkill(switches(RFKillSwitch(number: 0, name: "hci0", state: .hard)))
    },
    Row("the machine's", .failed, "Bluetooth (tpacpi_bluetooth_sw)", "rfkill unblock") {
      Judgement.rfkill(
        switches(
          RFKillSwitch(number: 0, name: "hci0", state: .unblocked),
          RFKillSwitch(number: 1, name: "tpacpi_bluetooth_sw", state: .soft)))
    },
    Row("both: the strict one counts", .failed, "a switch of the machine", "key") {
      Judgement.rfkill(
        switches(
          RFKillSwitch(number: 0, name: "hci0", state: .soft),
          RFKillSwitch(number: 1, name: "tpacpi_bluetooth_sw", state: .hard)))
    },
    Row("another adapter's", .ok, "but hci1") {
      Judgement.rfkill(
        Facts.radio {
          $0.adapters.append(Facts.adapter(1, .softBlocked))
          $0.switches.append(RFKillSwitch(number: 1, name: "hci1", state: .soft))
        })
    },
    Row("no rfkill", .ok, "no switch") { Judgement.rfkill(Facts.radio { $0.switches = [] }) },
  ]

  private static func judge(
    _ access: DaemonSurvey.Access, root: Bool = true
  ) -> Finding {
    Judgement.bluetoothd(
      DaemonSurvey(access), version: nil, Facts.radio { $0.mayAdminister = root })
  }

  static let daemon = [
    Row("runs", .ok, "bluetoothd 5.66 runs (experimental interfaces are off") {
      Judgement.bluetoothd(Facts.daemon, version: "5.66", Facts.radio())
    },
    Row("stopped, and needed", .failed, "does not run", "systemctl start bluetooth") {
      judge(.notRunning, root: false)
    },
    Row("stopped, not needed", .warning, "does not run", "systemctl start bluetooth") {
      judge(.notRunning)
    },
    Row("hangs", .failed, "does not answer", "systemctl restart bluetooth") {
      judge(.silent("NoReply"))
    },
    Row("is out of reach", .ok, "see dbus") { judge(.denied("AccessDenied")) },
    Row("no bus", .unknown, "no bus") { judge(.noBus("connect")) },
    Row("has lost the adapter", .failed, "does not know hci0", "restart bluetooth") {
      Judgement.bluetoothd(DaemonSurvey(.answers), version: "5.66", Facts.radio())
    },
  ]

  static let dbus = [
    Row("open", .ok, "speak to bluetoothd") { Judgement.dbus(Facts.daemon, Facts.radio()) },
    Row("policy", .failed, "policy of D-Bus", "adduser $USER bluetooth") {
      Judgement.dbus(DaemonSurvey(.denied("AccessDenied")), Facts.radio())
    },
    Row("no bus, and needed", .failed, "cannot be reached", "mount /run/dbus") {
      Judgement.dbus(DaemonSurvey(.noBus("no")), Facts.radio { $0.mayAdminister = false })
    },
    Row("no bus, not needed", .warning, "cannot be reached", "dbus.socket") {
      Judgement.dbus(DaemonSurvey(.noBus("no")), Facts.radio())
    },
    Row("bluetoothd is not there", .ok, "answers") {
      Judgement.dbus(DaemonSurvey(.notRunning), Facts.radio())
    },
  ]

  private static func rights(
    _ monitor: Bool, _ admin: Bool, _ daemon: DaemonSurvey? = Facts.daemon, root: Bool = false
  ) -> Finding {
    Judgement.capabilities(
      Facts.radio {
        $0.mayMonitor = monitor
        $0.mayAdminister = admin
        $0.isRoot = root
        $0.executable = "/opt/my luna"
      }, daemon)
  }

  static let capabilities = [
    Row("both", .ok, "observe, mgmt, dbus and exclusive") { rights(true, true) },
    Row("raw", .warning, "CAP_NET_RAW alone", "setcap") { rights(true, false) },
    Row("admin", .warning, "not observe", "setcap") { rights(false, true) },
    Row("none", .warning, "dbus only", "'/opt/my luna'") { rights(false, false) },
    Row("none, where the helper is for others", .warning, "dbus only", "adduser $USER bluetooth") {
      Judgement.capabilities(
        Facts.radio {
          $0.mayMonitor = false
          $0.mayAdminister = false
          $0.isHelperForbidden = true
        }, Facts.daemon)
    },
    Row("none, no daemon", .failed, "may not scan", "start bluetooth") {
      rights(false, false, DaemonSurvey(.notRunning))
    },
    Row("raw, no daemon", .failed, "may not scan", "setcap") {
      rights(true, false, DaemonSurvey(.notRunning))
    },
    Row("root in a container", .warning, "dbus only", "this container or service") {
      rights(false, false, root: true)
    },
    Row("no sockets", .unknown, "no Bluetooth sockets") {
      Judgement.capabilities(Facts.radio { $0.sockets = absent }, nil)
    },
  ]

  private static func sockets(
    _ sockets: KernelSurvey.Sockets, _ daemon: DaemonSurvey? = nil
  ) -> Finding {
    Judgement.namespace(Facts.radio { $0.sockets = sockets }, daemon)
  }

  static let namespace = [
    Row("there", .ok, "are there") { sockets(.available) },
    Row("a container", .failed, "network namespace", "network of the host") { sockets(absent) },
    Row("a container with the bus", .warning, "network namespace", "dbus") {
      sockets(absent, Facts.daemon)
    },
    Row("no Bluetooth", .failed, "has no Bluetooth", "modprobe bluetooth") {
      sockets(.absent(kernelHasBluetooth: false, "socket"))
    },
    Row("a filter", .failed, "cannot be had (EPERM)", "AF_BLUETOOTH") {
      sockets(.refused("EPERM"))
    },
  ]

  @Test(arguments: adapter + power + rfkill + daemon + dbus + capabilities + namespace)
  func isFound(row: Row) { row.check() }
}
