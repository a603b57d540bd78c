/// What systemd tells of the units of Luna.
struct UnitFacts: Hashable, Sendable {
  /// Whether systemd runs this machine.
  var hasSystemd = true
  /// Why it could not be asked.
  var problem: String?
  var units: [Unit] = []
  /// The version of this program.
  var version: String

  struct Unit: Hashable, Sendable {
    /// `luna-finder.service`.
    var name: String
    /// `active`, `inactive`, `failed`, `activating`, …
    var active = "active"
    /// `running`, `auto-restart`, …
    var sub = "running"
    /// `success`, `exit-code`, `watchdog`, …
    var result = "success"
    /// What its process ended with last.
    var exitStatus: Int32 = 0
    /// `enabled`, `disabled`, `static`, …
    var file = "enabled"
    /// Whether its file has changed since systemd read it.
    var needsReload = false
    /// The program that it starts.
    var program: String?
    /// Whether that is luna.
    var isLuna: Bool { program?.hasSuffix("/luna") ?? false }
    /// Whether that program was replaced since the unit was started.
    var isOutdated = false
    /// What that program says its version is; nil when it does not.
    var version: String?
  }
}
