import BlueZ
import Bluetooth

/// What is known of the machine's adapters when they are judged.
struct RadioFacts: Sendable {
  /// The adapters that are asked for; empty for the best that there is.
  var wanted: [AdapterSelector] = []
  var kernel = KernelSurvey()

  /// The adapters that matter: those that are asked for and there, or the one that a scan would take.
  var chosen: [Adapter] {
    guard wanted.isEmpty else { return wanted.compactMap(find) }
    let all = kernel.adapters
    let able = all.filter { $0.features.contains(.lowEnergy) }
    let best = able.first { $0.state == .up } ?? able.first ?? all.first
    return best.map { [$0] } ?? []
  }

  /// The adapters that are asked for and not there.
  var missing: [AdapterSelector] { wanted.filter { find($0) == nil } }

  private func find(_ selector: AdapterSelector) -> Adapter? {
    kernel.adapters.first { adapter in
      switch selector {
      case .index(let index): adapter.index == index
      case .address(let address): adapter.address == address
      }
    }
  }

  /// What is said instead where there is no adapter to look at.
  func nobody(_ check: Check) -> Finding {
    Finding(check, .unknown, "there is no adapter to look at")
  }
}
