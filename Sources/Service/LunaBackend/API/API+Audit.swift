import Bluetooth
import LunaFleet
import LunaJSON
import WebAccess

extension API {
  /// Tells the log who did what with accounts and rights. Nothing secret, and no address, is in it.
  ///
  /// - Parameter caller: who did it; nil for who is not signed in.
  func audit(_ what: String, by caller: Caller?, _ members: JSONObject = [:]) {
    var object = JSONObject()
    if let caller { object.append("by", .string(caller.label)) }
    object.members += members.members
    log.line(.info, what, object)
  }

  /// Tells the log, the history and the dashboard of somebody who could not sign in. The history takes only so many
  /// in a minute, that nobody fills it from outside, and it takes as long whether there is such an account.
  ///
  /// - Parameter account: nil where there is none.
  func auditFailure(
    _ account: String?, method: String, _ members: JSONObject = [:]
  ) async throws(StorageError) {
    audit("sign-in failed", by: nil, (account.map { ["account": .string($0)] } ?? [:]) + members)
    let time = configuration.now()
    await countFailedSignIn(at: time)
    guard auditedFailures.take(1, for: "") == nil else { return }
    try await accounts.note(
      AuditEntry(.session, account ?? "", .refuse, ["method": (nil, method)]), at: time)
  }

  private func countFailedSignIn(at time: Timestamp) async {
    let operation = "countFailedSignIn"
    let began = ContinuousClock.now
    // Not worth failing for.
    do throws(StorageError) {
      try await storage.count(DashboardHistory.failedSignIns, at: time)
      outage.worked(operation)
    } catch {
      outage.failed(error, operation, since: began)
    }
  }
}

private func + (first: JSONObject, second: JSONObject) -> JSONObject {
  var all = first
  all.members += second.members
  return all
}
