import EventLoop
import LunaCore
import LunaStore
import LunaUplink

extension UplinkKeeper {
  /// Goes on when the last check of something has found a difference; of uploads, where that was never checked.
  func requireDifference(in profile: String) async throws {
    let state = state
    let records = try await Blocking.run { () throws(DeviceStoreError) -> [UplinkRecord] in
      try UplinkStore(in: state).records()
    }
    guard !UplinkDifference.isFound(in: records, of: profile) else { return }
    throw CommandFailure(
      .notFound, "no check has found that \(profile) is treated otherwise",
      hint: "luna uplink check sees whether it is")
  }
}
