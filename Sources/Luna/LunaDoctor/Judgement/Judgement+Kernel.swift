import BlueZ
import Bluetooth
import Diagnosis

extension Judgement {
  /// `kernel`.
  ///
  /// - Parameter release: nil when the kernel's name could not be read.
  static func kernel(_ release: KernelRelease?, _ facts: RadioFacts) -> Finding {
    guard let release else {
      return Finding(.kernel, .unknown, "the kernel's version cannot be read")
    }
    let adapters: [Adapter?] = facts.chosen.isEmpty ? [nil] : facts.chosen
    var faults: [KernelFault] = []
    for adapter in adapters {
      let hardware = adapter.flatMap { facts.kernel.hardware[$0.index] }
      for fault in KernelFault.all(in: release, adapter, hardware)
      where !faults.contains(where: { $0.what == fault.what }) {
        faults.append(fault)
      }
    }
    let drivers = Set(facts.chosen.compactMap(\.driver)).sorted()
    let name = (["Linux \(release.name)"] + drivers).joined(separator: ", ")
    guard let worst = faults.first else {
      return Finding(.kernel, .ok, "\(name): no fault known that concerns Luna")
    }
    return Finding(
      .kernel, worst.state, "\(name): " + faults.map(\.what).joined(separator: "; "),
      remedy: worst.remedy)
  }

  /// `autosuspend`.
  static func autosuspend(
    _ release: KernelRelease?, _ facts: RadioFacts, _ daemon: DaemonSurvey?
  ) -> Finding {
    let adapters = facts.chosen
    guard !adapters.isEmpty else { return facts.nobody(.autosuspend) }
    let devices = adapters.compactMap { adapter in
      facts.kernel.hardware[adapter.index]?.usb.map { (adapter, $0) }
    }
    guard !devices.isEmpty else {
      let names = adapters.map(\.name).joined(separator: ", ")
      return .nothing(.autosuspend, "\(names): no USB device")
    }
    for (adapter, device) in devices {
      let isScanning =
        daemon?.radios.contains { $0.index == adapter.index && $0.isDiscovering } ?? false
      if device.runtimeStatus == "suspended", isScanning {
        return Finding(
          .autosuspend, .failed,
          "\(adapter.name) is suspended although a scan is on: it hears nothing, and the scan does "
            + "not end",
          remedy: "\(.keepAwake(port: device.port)); then switch the adapter off and on")
      }
    }
    let asleep = devices.filter { $0.1.powerControl == "auto" }
    guard let (adapter, device) = asleep.first else {
      return Finding(.autosuspend, .ok, "USB autosuspend is off")
    }
    guard KernelFault.sleepsWhileScanning(release) else {
      return Finding(.autosuspend, .ok, "USB autosuspend is on; this kernel waits for a scan's end")
    }
    return Finding(
      .autosuspend, .warning,
      "the kernel may suspend \(adapter.name) while it scans, and a scan may then hear nothing more",
      remedy: "\(.keepAwake(port: device.port)); Luna's udev rule does that at every start")
  }
}
