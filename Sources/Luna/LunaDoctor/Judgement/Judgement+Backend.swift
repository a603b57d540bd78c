import Bluetooth
import Diagnosis
import LunaClient
import LunaCore

extension Judgement {
  /// `backend`.
  ///
  /// - Parameters:
  ///   - address: where it is; nil where there is none.
  ///   - examination: what came of asking it.
  static func backend(_ address: String?, _ examination: BackendExamination?) -> Finding {
    guard let address, let examination else {
      return .nothing(.backend, "no backend is named")
    }
    if let problem = examination.problem {
      return Finding(
        .backend, problem.kind == .busy ? .warning : .failed, problem.reason,
        remedy: problem.remedy ?? standard(problem.kind))
    }
    if let refusal = examination.refusal {
      return Finding(.backend, .failed, refusal.reason, remedy: refusal.remedy)
    }
    return Finding(.backend, .ok, "\(address) answers and knows the token")
  }

  private static func standard(_ kind: BackendError.Kind) -> Remedy? {
    switch kind {
    case .interrupted: "check the network, and what is on the way"
    case .failed: "see the log of the backend"
    case .answer, .notFound, .malformed: "check that this is the address of a backend of Luna"
    case .busy, .inUse: "try it again later"
    case .unreachable, .untrusted, .address, .redirected, .refused, .local, .library: nil
    }
  }

  /// After so long a wait, something is wrong with the uploads, s.
  private static let patience: Int64 = 3600

  /// `queue`.
  static func queue(_ facts: QueueFacts, hasBackend: Bool) -> Finding {
    if let error = facts.error {
      return Finding(
        .queue, error.kind == .denied ? .unknown : .failed, error.reason, remedy: error.remedy)
    }
    guard let status = facts.status else {
      return .nothing(.queue, "there is no queue, which a gateway makes")
    }
    let waits = "\(status.waiting) of \(status.limit) events wait"
    if status.waiting >= status.limit {
      return Finding(
        .queue, .failed, waits + ": it is full, and events are lost", remedy: upload(hasBackend))
    }
    let age = status.oldest.map { (facts.now.microseconds &- $0.microseconds) / 1_000_000 } ?? 0
    if age > patience {
      return Finding(
        .queue, .warning, waits + ", the first for \(span(age))" + rest(status),
        remedy: upload(hasBackend))
    }
    let refused = status.setAside.values.reduce(0, +)
    if refused > 0 {
      let reasons = status.setAside.keys.sorted().joined(separator: ", ")
      return Finding(
        .queue, .warning, waits + "; the backend will never take \(refused) more (\(reasons))",
        remedy: "they are dropped when the queue is full; see the log of the backend")
    }
    return Finding(.queue, .ok, waits + rest(status))
  }

  private static func upload(_ hasBackend: Bool) -> Remedy {
    hasBackend
      ? "see backend above, and that \(.gateway) runs"
      : "name \(.backend), and see that \(.gateway) runs"
  }

  private static func rest(_ status: QueueStatus) -> String {
    guard let hours = status.hoursLeft, hours < 1e6 else { return "" }
    return "; an outage of \(span(Int64(hours * 3600))) still fits"
  }
}
