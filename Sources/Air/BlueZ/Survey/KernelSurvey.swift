/// What the kernel tells of Bluetooth on this machine, and what it lets this process do.
package struct KernelSurvey: Hashable, Sendable {
  /// Whether there are Bluetooth sockets.
  package enum Sockets: Hashable, Sendable {
    case available
    /// They are not: in a network namespace that is not the machine's own when the kernel has
    /// Bluetooth, otherwise because the kernel has none. The text is the error.
    case absent(kernelHasBluetooth: Bool, String)
    /// Something else is in the way.
    case refused(String)
  }

  package var sockets: Sockets
  /// Why the kernel's management does not answer; nil where it does.
  package var problem: String?
  package var adapters: [Adapter]
  /// What sysfs tells of each adapter, by number.
  package var hardware: [UInt16: AdapterHardware]
  /// All switches of rfkill's for Bluetooth.
  package var switches: [RFKillSwitch]
  /// Whether this process may read the monitor channel: CAP_NET_RAW.
  package var mayMonitor: Bool
  /// Whether the management's privileged commands are carried out: CAP_NET_ADMIN.
  package var mayAdminister: Bool
  package var isRoot: Bool
  /// Whether luna-helper is there, for others than this user.
  package var isHelperForbidden: Bool
  /// The path of this program.
  package var executable: String

  package init(
    sockets: Sockets = .available, adapters: [Adapter] = [],
    hardware: [UInt16: AdapterHardware] = [:], switches: [RFKillSwitch] = [],
    mayMonitor: Bool = true, mayAdminister: Bool = true, isRoot: Bool = false,
    isHelperForbidden: Bool = false, executable: String = "/usr/bin/luna", problem: String? = nil
  ) {
    self.sockets = sockets
    self.adapters = adapters
    self.hardware = hardware
    self.switches = switches
    self.mayMonitor = mayMonitor
    self.mayAdminister = mayAdminister
    self.isRoot = isRoot
    self.isHelperForbidden = isHelperForbidden
    self.executable = executable
    self.problem = problem
  }
}
