import BlueZ
import Bluetooth
import Diagnosis

extension Judgement {
  /// `adapter`.
  static func adapter(_ facts: RadioFacts, _ daemon: DaemonSurvey?) -> Finding {
    let kernel = facts.kernel
    guard kernel.sockets == .available else {
      // A container with the system's bus.
      if let radios = daemon?.radios, !radios.isEmpty {
        let names = radios.map { "hci\($0.index)" }.joined(separator: ", ")
        return Finding(.adapter, .ok, "bluetoothd has \(names); the kernel cannot be asked here")
      }
      return Finding(
        .adapter, .failed, "no adapter can be seen, as there are no Bluetooth sockets here",
        remedy: "see namespace; \(.radioPath("virtual")) and \(.recording) work without")
    }
    if let problem = kernel.problem {
      return Finding(.adapter, .unknown, problem, remedy: "see what dmesg says")
    }
    guard !kernel.adapters.isEmpty else { return none(kernel) }
    guard facts.missing.isEmpty else {
      let wanted = facts.missing.map(\.description).joined(separator: ", ")
      return Finding(
        .adapter, .failed, "there is no adapter \(wanted)",
        remedy: "there is \(kernel.adapters.map(short).joined(separator: ", "))")
    }
    for adapter in facts.chosen {
      if let fault = fault(adapter) { return fault }
    }
    let rest = kernel.adapters.count - facts.chosen.count
    return Finding(
      .adapter, .ok,
      facts.chosen.map { text($0) }.joined(separator: "; ")
        + (rest > 0 ? "; and \(rest) more" : ""))
  }

  private static let noAdapter: Remedy =
    "plug one in; \(.radioPath("virtual")) and \(.recording) work without"

  private static func none(_ kernel: KernelSurvey) -> Finding {
    // Some machines cut the adapter's power with a switch of theirs.
    if kernel.switches.contains(where: { $0.state != .unblocked }) {
      return Finding(
        .adapter, .failed, "the kernel lists no adapter, and rfkill blocks Bluetooth",
        remedy: "\(.unblockRadios); or use the key for wireless")
    }
    return Finding(.adapter, .failed, "the kernel lists no Bluetooth adapter", remedy: noAdapter)
  }

  private static func fault(_ adapter: Adapter) -> Finding? {
    switch adapter.state {
    case .unconfigured:
      return Finding(
        .adapter, .failed,
        "\(adapter.name) waits for its configuration: it has no address or no firmware",
        remedy: "install its firmware (see dmesg), or set its address: "
          + "sudo btmgmt --index \(adapter.name) public-addr ADDRESS")
    case .exclusive: return nil
    case .up, .down, .softBlocked, .hardBlocked:
      guard !adapter.features.contains(.lowEnergy) else { return nil }
      return Finding(
        .adapter, .failed, "\(adapter.name) has no Bluetooth LE", remedy: "use \(.otherAdapter)")
    }
  }

  private static func short(_ adapter: Adapter) -> String {
    adapter.address.map { "\(adapter.name) (\($0))" } ?? adapter.name
  }

  private static func text(_ adapter: Adapter) -> String {
    var parts = [adapter.address.map { "\(adapter.name) \($0)" } ?? adapter.name]
    if let bus = adapter.bus {
      parts.append(bus.rawValue + (adapter.driver.map { " (\($0))" } ?? ""))
    }
    let versions: [UInt8: String] = [
      6: "4.0", 7: "4.1", 8: "4.2", 9: "5.0", 10: "5.1", 11: "5.2", 12: "5.3", 13: "5.4",
      14: "6.0", 15: "6.1", 16: "6.2",
    ]
    if let version = adapter.hciVersion.flatMap({ versions[$0] }) {
      parts.append("Bluetooth \(version)")
    }
    return parts.joined(separator: ", ")
  }
}
