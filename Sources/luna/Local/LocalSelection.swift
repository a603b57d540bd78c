import LunaCore
import LunaProtocol

/// Which of the owner's devices were named on the command line.
struct LocalSelection {
  /// The devices to follow.
  let devices: [Device]
  /// Whether foreign trackers are shown as well: only when no device was named.
  let showsForeign: Bool

  /// Finds devices by uuid or name.
  ///
  /// - Throws: a failure that names the one that is not there, or not alone.
  init(_ names: [String], among all: [Device]) throws(CommandFailure) {
    guard !names.isEmpty else {
      devices = all
      showsForeign = true
      return
    }
    var found: [Device] = []
    for name in names {
      let matches = all.filter {
        $0.uuid.description == name.lowercased() || $0.name.lowercased() == name.lowercased()
      }
      guard let match = matches.first else {
        throw CommandFailure(
          .notFound, "there is no device '\(name)'",
          hint: all.isEmpty
            ? "none is known yet: onboard one, or import keys with 'luna owner import'"
            : "'luna owner list' shows the devices")
      }
      guard matches.count == 1 else {
        throw CommandFailure(
          .usage, "\(matches.count) devices are called '\(name)'", hint: "use the uuid")
      }
      if !found.contains(where: { $0.uuid == match.uuid }) { found.append(match) }
    }
    devices = found
    showsForeign = false
  }
}
