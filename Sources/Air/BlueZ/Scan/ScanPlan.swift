/// What a radio path is going to do, once it is known what there is.
struct ScanPlan: Sendable {
  /// The path: `observe`. The source is named for it and the adapters: `observe:hci0`.
  var path: RadioPath
  /// Why this path was taken, when there was a choice.
  var reason: String?
  /// What would make more possible.
  var hint: String?
  /// One for each adapter.
  var sessions: [ScanDriver.MakeSession]
  /// The adapters, in the same order. Where the kernel has no part in it nothing is known of them.
  var targets: [AdapterTarget]
  /// What connects with them, where this program has the controller for itself, in the same order.
  var clients: [ControllerClient] = []

  /// The name of the source.
  func name(of summaries: [ScanSummary]) -> String {
    if case .h4 = path { return path.description }
    return "\(path):" + summaries.map(\.name).joined(separator: ",")
  }

  /// One sentence for a person: what is done, and why in this way.
  func explanation(of summaries: [ScanSummary]) -> String {
    var parts: [String] = []
    for summary in summaries where !parts.contains(summary.clause) { parts.append(summary.clause) }
    return (reason.map { "\(path), as \($0): " } ?? "") + parts.joined(separator: "; ")
      + (hint.map { "; \($0)" } ?? "")
  }
}
