import Diagnosis
import EventLoop
import Glibc
import HCIHost
import SystemBus

/// Looks at everything that can stand between this process and a radio, and changes nothing.
package struct RadioSurvey: Sendable {
  /// How long bluetoothd may take to say that it is there.
  private static let patience = Duration.seconds(4)

  private let reactor: Reactor
  private let host: any BluetoothHost

  /// Looks at this machine.
  package init() { self.init(reactor: .shared, host: LinuxHost()) }

  init(reactor: Reactor, host: any BluetoothHost) {
    self.reactor = reactor
    self.host = host
  }

  /// What the kernel tells, without a question to bluetoothd, which may hang.
  package func kernel() async -> KernelSurvey {
    var survey = KernelSurvey(
      switches: RFKillSwitch.list(on: host), mayMonitor: false, mayAdminister: false,
      isRoot: host.isRoot, isHelperForbidden: host.helper == .forbidden,
      executable: host.executable)
    let mgmt = MgmtSocket(reactor: reactor)
    do throws(SystemCallError) {
      try await mgmt.open(on: host)
    } catch {
      survey.sockets = sockets(error)
      return survey
    }
    let auto = AutoPath(reactor: reactor, host: host, options: ScanOptions())
    survey.mayMonitor = await auto.mayMonitor()
    survey.mayAdminister = await auto.canAdminister(mgmt)
    do {
      survey.adapters = try await AdapterInventory(reactor: reactor, host: host).managed(by: mgmt)
    } catch {
      survey.problem = error.reason
    }
    await mgmt.close()
    for adapter in survey.adapters {
      survey.hardware[adapter.index] = AdapterHardware.read(of: adapter.index, on: host)
    }
    return survey
  }

  private func sockets(_ error: SystemCallError) -> KernelSurvey.Sockets {
    guard error.errno == EAFNOSUPPORT || error.errno == EPROTONOSUPPORT else {
      return .refused(error.description)
    }
    return .absent(
      kernelHasBluetooth: !host.entries(at: "/sys/class/bluetooth").isEmpty, error.description)
  }

  /// What the bus and bluetoothd tell. It is not started by asking.
  package func daemon() async -> DaemonSurvey {
    let bus = BusConnection(reactor: reactor)
    do throws(BusError) {
      try await bus.open(address: host.busAddress)
      let survey = try await daemon(on: bus)
      await bus.close()
      return survey
    } catch {
      await bus.close()
      return DaemonSurvey(.noBus(error.description))
    }
  }

  private func daemon(on bus: BusConnection) async throws(BusError) -> DaemonSurvey {
    guard let owner = try await bus.owner(of: DaemonScan.service) else {
      return DaemonSurvey(.notRunning)
    }
    var survey = DaemonSurvey(.answers)
    survey.processID = try? await bus.call(
      "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
      "GetConnectionUnixProcessID", [.string(owner)]
    ).first?.integer.flatMap { Int32(exactly: $0) }
    do throws(BusError) {
      // What is asked below has no limit of its own that is as short.
      _ = try await bus.call(
        DaemonScan.service, "/org/bluez", "org.freedesktop.DBus.Introspectable", "Introspect",
        within: RadioSurvey.patience)
      let adapters = try await DaemonAdapter.all(on: bus)
      survey.radios = adapters.map {
        DaemonSurvey.Radio(
          index: $0.index, isPowered: $0.isPowered, isDiscovering: $0.isDiscovering)
      }
      if let first = adapters.first {
        let text = try await bus.call(
          DaemonScan.service, DaemonScan.path(of: first.index),
          "org.freedesktop.DBus.Introspectable", "Introspect"
        ).first?.text
        survey.isExperimental = text?.split(separator: "\"")
          .contains("org.bluez.AdvertisementMonitorManager1")
      }
    } catch {
      switch error.name {
      case BusError.accessDenied: survey.access = .denied(error.description)
      case BusError.serviceUnknown: survey.access = .notRunning
      default: survey.access = .silent(error.description)
      }
    }
    return survey
  }

  /// Who else uses the adapters while `body` runs, which may do something with them itself.
  package func neighbours(
    during body: @Sendable () async -> Void
  ) async -> NeighbourSurvey {
    let tap = MonitorTap(reactor: reactor)
    let couldListen = await tap.open(on: host)
    await body()
    var survey = await tap.close()
    survey.couldListen = couldListen
    survey.holders = BluetoothSockets.holders(on: host)
    return survey
  }
}
