import EventLoop
import LunaCore
import LunaJSON
import LunaStore
import UplinkProtocol

extension UplinkKeeper {
  /// Goes on when the last check of something has found a difference; of uploads, where that was never checked.
  func requireDifference(in profile: String) async throws {
    let state = state
    let records = try await Blocking.run { () throws(DeviceStoreError) -> [UplinkRecord] in
      try UplinkStore(in: state).records()
    }
    var verdicts: [String: String] = [:]
    // The newest first.
    for record in records {
      guard let json = try? JSONReader.read(Array(record.document.utf8)),
        case .object(let result) = json, result["simulated"] != .bool(true),
        case .string(let name)? = result["profile"],
        case .string(let verdict)? = result["verdict"], verdicts[name] == nil
      else { continue }
      verdicts[name] = verdict
    }
    let differences: [FairnessVerdict] = [.throttled, .prioritised, .blocked]
    let verdict = verdicts[profile] ?? verdicts[BuiltInProfile.upload.rawValue]
    guard !differences.contains(where: { $0.word == verdict }) else { return }
    throw CommandFailure(
      .notFound, "no check has found that \(profile) is treated otherwise",
      hint: "luna uplink check sees whether it is")
  }
}
