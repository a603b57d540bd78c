import BlueZ
import Bluetooth
import Diagnosis
import SafeText

extension Judgement {
  /// `listen`: nothing there is told apart from could not look.
  static func listen(
    _ facts: ListenFacts, _ radio: RadioFacts?, _ daemon: DaemonSurvey?, _ release: KernelRelease?
  ) -> Finding {
    if let error = facts.error {
      let reason = radio.flatMap {
        explanation(of: error, facts.neighbours, $0, daemon, release)
      }
      return Finding(
        .listen, .failed,
        "could not listen: " + (reason?.cause ?? error.reason),
        remedy: reason?.remedy ?? error.remedy)
    }
    guard facts.reports > 0 else {
      return Finding(
        .listen, .warning,
        "listened for \(facts.seconds) s (\(facts.name)) and heard nothing: nothing near "
          + "advertises, or the adapter is deaf",
        remedy:
          "hold something near that advertises, such as a phone with its Bluetooth settings open; "
          + "see that the antenna is connected; then plug the adapter in anew")
    }
    let advertisers = facts.advertisers == 1 ? "1 advertiser" : "\(facts.advertisers) advertisers"
    return Finding(
      .listen, .ok,
      "heard \(advertisers) in \(facts.seconds) s (\(facts.name), \(facts.reports) advertisements)")
  }

  /// What is behind an error of bluetoothd, which says InProgress for whatever goes wrong when a scan
  /// begins, and NotReady for whatever keeps an adapter off. Other errors say themselves what is wrong.
  static func explanation(
    of error: SourceError, _ neighbours: NeighbourSurvey, _ facts: RadioFacts,
    _ daemon: DaemonSurvey?, _ release: KernelRelease?
  ) -> (cause: String, remedy: Remedy?)? {
    guard [.busy, .off, .lost].contains(error.kind), error.reason.contains(text: "org.bluez.Error"),
      let adapter = facts.chosen.first
    else { return nil }
    let said = " (\(error.reason))"
    let name = adapter.name
    switch adapter.state {
    case .softBlocked: return ("rfkill blocks \(name)\(said)", "\(.unblockRadios)")
    case .hardBlocked:
      return ("a switch of the machine blocks \(name)\(said)", "use the switch or key for wireless")
    case .down: return ("\(name) is off\(said)", powerOn(name, facts.kernel))
    case .exclusive: return (scanner(facts, daemon, neighbours).cause + said, error.remedy)
    case .unconfigured: return nil
    case .up: break
    }
    let isDiscovering =
      daemon?.radios.contains { $0.index == adapter.index && $0.isDiscovering } ?? false
    let device = facts.kernel.hardware[adapter.index]?.usb
    if isDiscovering, let device, device.runtimeStatus == "suspended" {
      return (
        "a scan of \(name) hangs, as USB has suspended it\(said)",
        "\(.keepAwake(port: device.port)); then switch the adapter off and on"
      )
    }
    if let refusal = neighbours.refusals.last(where: { $0.adapter == adapter.index }) {
      return (
        "the kernel refuses \(refusal.command) on \(name): \(refusal.status)\(said)", error.remedy
      )
    }
    guard isDiscovering else { return nil }
    if let device, device.powerControl == "auto", KernelFault.sleepsWhileScanning(release) {
      return (
        "\(name) scans already, for another program, or for nobody since USB suspended it\(said)",
        "\(.keepAwake(port: device.port)); then switch the adapter off and on"
      )
    }
    return ("another program has \(name) scan already\(said)", error.remedy)
  }
}
