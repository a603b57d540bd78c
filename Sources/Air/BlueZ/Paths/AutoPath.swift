import Bluetooth
import Diagnosis
import EventLoop
import Glibc
import HCIHost

/// Chooses the radio path that shows most of the air, of those that this process may use here.
struct AutoPath: Sendable {
  /// A path, and why it was taken.
  struct Choice: Hashable, Sendable {
    let path: RadioPath
    let reason: String
    /// What would make more possible.
    var remedy: Remedy?
  }

  let reactor: Reactor
  let host: any BluetoothHost
  let options: ScanOptions

  /// - Throws: ``SourceError`` when there is no path: no adapter, or no permission for any.
  func choose() async throws(SourceError) -> Choice {
    let mayMonitor = await mayMonitor()
    let mgmt = MgmtSocket(reactor: reactor)
    do throws(SystemCallError) {
      try await mgmt.open(on: host)
    } catch {
      // A container without Bluetooth sockets may still reach bluetoothd.
      guard await DaemonScan.isRunning(on: reactor, host) else {
        throw AdapterProblem.socket(error, for: "ask the kernel about adapters", on: host)
      }
      return Choice(
        path: .dbus, reason: "the kernel offers no Bluetooth sockets here (\(error))")
    }
    let mayAdminister = await canAdminister(mgmt)
    // Where there is no adapter, permissions are not what is in the way.
    let problem = mayAdminister ? nil : await problem(mgmt)
    await mgmt.close()
    if let problem { throw problem }
    if mayMonitor && mayAdminister {
      return Choice(path: .observe, reason: "this program may read all that the adapter hears")
    }
    if mayAdminister {
      return Choice(
        path: .mgmt,
        reason: "this program may not read the kernel's monitor channel (CAP_NET_RAW)", remedy: more
      )
    }
    if options.mode == .passive {
      throw AdapterProblem.permission("scan passively", on: host)
    }
    if options.phys == [.leCoded] {
      throw AdapterProblem.permission("choose the PHY of a scan", on: host)
    }
    guard await DaemonScan.isRunning(on: reactor, host) else {
      throw AdapterProblem.permission("scan, and bluetoothd does not run to do it", on: host)
    }
    if mayMonitor {
      return Choice(path: .observe, reason: "this program may read all that the adapter hears")
    }
    return Choice(
      path: .dbus,
      reason: "this program has no capabilities", remedy: more)
  }

  private var more: Remedy {
    "to hear all that the adapter hears, \(AdapterProblem.rights(on: host))"
  }

  /// Whether the monitor channel may be read.
  func mayMonitor() async -> Bool {
    guard let descriptor = try? await host.openMonitor() else { return false }
    close(descriptor)
    return true
  }

  /// Whether privileged commands are carried out: the kernel looks at that before anything else.
  func canAdminister(_ mgmt: MgmtSocket) async -> Bool {
    do throws(MgmtError) {
      try await mgmt.send(MgmtOpcode.getConnections, to: 0)
      return true
    } catch {
      return error.status != nil && error.status != .permissionDenied
    }
  }

  /// What is wrong with the adapters that are asked for.
  private func problem(_ mgmt: MgmtSocket) async -> SourceError? {
    do throws(SourceError) {
      for selector in options.adapters.isEmpty ? [nil] : options.adapters.map({ Optional($0) }) {
        _ = try await AdapterFinder(mgmt: mgmt, host: host).find(AdapterTarget(selector))
      }
      return nil
    } catch {
      return error
    }
  }
}
