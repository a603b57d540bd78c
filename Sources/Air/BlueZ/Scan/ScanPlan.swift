import Diagnosis
import HCIHost

/// What a radio path is going to do, once it is known what there is.
struct ScanPlan: Sendable {
  /// An adapter, or another way to a controller.
  struct Adapter: Sendable {
    /// How it is called until it is known better.
    var name: String
    var makeSession: ScanDriver.MakeSession
    /// The steps by which it is brought back, and who takes them.
    var rungs = RecoveryLadder.controller
    var repair: AdapterRepair?
  }

  /// The path: `observe`. The source is named for it and the adapters: `observe:hci0`.
  var path: RadioPath
  /// Why this path was taken, when there was a choice.
  var reason: String?
  /// What would make more possible.
  var remedy: Remedy?
  /// What is listened with.
  var adapters: [Adapter]
  /// The adapters, in the same order. Where the kernel has no part in it nothing is known of them.
  var targets: [AdapterTarget]
  /// What connects with them, where this program has the controller for itself, in the same order.
  var clients: [ControllerClient] = []
  /// Whether another program has opened its sockets.
  var isHelped: @Sendable () -> Bool = { false }

  /// The name of the source, whose adapters are called so now.
  func name(of adapters: [String]) -> String {
    if case .h4 = path { return path.description }
    return "\(path):" + adapters.joined(separator: ",")
  }

  /// One sentence for a person: what is done, and why in this way.
  func explanation(of summaries: [ScanSummary]) -> String {
    var parts: [String] = []
    for summary in summaries where !parts.contains(summary.clause) { parts.append(summary.clause) }
    return (reason.map { "\(path), as \($0): " } ?? "") + parts.joined(separator: "; ")
      + (isHelped() ? "; luna-helper has opened its sockets" : "")
      + (remedy.map { "; \($0)" } ?? "")
  }
}
