/// What the system bus and bluetoothd tell.
package struct DaemonSurvey: Hashable, Sendable {
  /// What bluetoothd says of an adapter.
  package struct Radio: Hashable, Sendable {
    /// N of hciN.
    package var index: UInt16
    package var isPowered: Bool
    package var isDiscovering: Bool

    package init(index: UInt16, isPowered: Bool = true, isDiscovering: Bool = false) {
      self.index = index
      self.isPowered = isPowered
      self.isDiscovering = isDiscovering
    }
  }

  /// Whether bluetoothd can be spoken to.
  package enum Access: Hashable, Sendable {
    /// It runs and answers.
    case answers
    /// There is no bus to ask on.
    case noBus(String)
    /// The bus is there, and bluetoothd is not on it.
    case notRunning
    /// It runs, and the policy of the bus keeps this user away.
    case denied(String)
    /// It runs, and does not answer.
    case silent(String)
  }

  package var access: Access
  /// Its process; nil when it does not run, or that cannot be told.
  package var processID: Int32?
  package var radios: [Radio]
  /// Whether it offers advertisement monitors, as it does with experimental interfaces switched on;
  /// nil when no adapter tells.
  package var isExperimental: Bool?

  package init(
    _ access: Access, processID: Int32? = nil, radios: [Radio] = [], isExperimental: Bool? = nil
  ) {
    self.access = access
    self.processID = processID
    self.radios = radios
    self.isExperimental = isExperimental
  }
}
