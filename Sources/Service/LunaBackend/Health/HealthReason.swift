public import Diagnosis
package import LunaJSON

/// Why a gateway is not well.
public struct HealthReason: Hashable, Sendable {
  /// What it is, for programs.
  public enum Code: String, CaseIterable, Sendable {
    /// Nothing was heard while it scans.
    case noPackets
    /// An adapter has failed.
    case adapterLost
    /// An adapter is switched off.
    case adapterOff
    /// Its queue is nearly full.
    case outageShort
    /// Events are being lost.
    case eventsLost
    /// Its disk is nearly full.
    case diskFull
    /// Events wait for long.
    case queueOld
    /// Its radio fails again and again.
    case recoveries
    /// It does not know any more where it is.
    case locationStale
    /// Its clock is wrong.
    case clockOff
    /// It is too hot, or its power is too weak.
    case hot
    /// Its network treats some traffic differently.
    case uplink
    /// Nobody said where it is.
    case noPosition
  }

  /// What it is.
  public let code: Code
  /// How bad that is.
  public let verdict: HealthVerdict
  /// What it is, for a person, and what to do.
  public let diagnosis: Diagnosis

  init(_ code: Code, _ verdict: HealthVerdict, _ text: String, _ remedy: Remedy) {
    self.code = code
    self.verdict = verdict
    diagnosis = Diagnosis(text, remedy: remedy)
  }

  /// What was found by counting over the last hour, without its numbers; nil for other reasons.
  static func counted(_ code: Code) -> HealthReason? {
    switch code {
    case .eventsLost:
      HealthReason(
        .eventsLost, .bad, "it has lost events within the last hour",
        "look at its disk and at its way to this server")
    case .recoveries:
      HealthReason(
        .recoveries, .warn, "its radio had to be brought back several times within an hour",
        "use another adapter or another port, and keep it from being suspended")
    default: nil
    }
  }

  /// The reason as JSON.
  package var json: JSONValue {
    [
      "code": .string(code.rawValue), "text": .string(diagnosis.reason),
      "remedy": .string(diagnosis.remedy?.description ?? ""),
    ]
  }
}
