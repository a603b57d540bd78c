import CommandSpec
import Glibc

/// Where a person's devices, trackers and queues are.
struct StateOption: Sendable {
  var directory: String?

  static var group: OptionGroup<StateOption> {
    OptionGroup(
      "State",
      [
        .value(
          "state", "DIR", "Keep devices and trackers in DIR", \.directory, .directory
        ).defaulting(to: "$XDG_DATA_HOME/luna")
      ])
  }

  /// The directory, which need not be there.
  func path() throws(CommandFailure) -> String {
    if let directory { return directory }
    func variable(_ name: String) -> String? {
      let text = getenv(name).map { String(cString: $0) } ?? ""
      // The XDG specification has relative paths ignored.
      return text.hasPrefix("/") ? text : nil
    }
    if let data = variable("XDG_DATA_HOME") { return data + "/luna" }
    if let home = variable("HOME") { return home + "/.local/share/luna" }
    throw CommandFailure(
      .usage, "neither XDG_DATA_HOME nor HOME says where the state is", hint: "use --state DIR")
  }
}
