import LunaCore
import LunaOwner

/// Which of the owner's devices were named on the command line.
struct LocalSelection {
  /// The devices to follow.
  let devices: [Device]
  /// Whether foreign trackers are shown as well: only when no device was named.
  let showsForeign: Bool

  /// Finds devices as the commands of the owner do.
  ///
  /// - Throws: an `OwnerError` that names the one that is not there, or not alone.
  init(_ names: [String], of owner: LunaOwner) async throws {
    guard !names.isEmpty else {
      devices = try await owner.allDevices()
      showsForeign = true
      return
    }
    var found: [Device] = []
    for name in names {
      let match = try await owner.device(matching: name)
      if !found.contains(where: { $0.uuid == match.uuid }) { found.append(match) }
    }
    devices = found
    showsForeign = false
  }
}
