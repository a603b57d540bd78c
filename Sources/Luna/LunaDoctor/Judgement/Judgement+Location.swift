import Diagnosis
import LunaCore
import LunaLocation

extension Judgement {
  /// `location`.
  ///
  /// - Parameter facts: nil where nobody asked for a location.
  static func location(_ facts: LocationFacts?) -> Finding {
    guard let facts else {
      return .nothing(.location, "no location source is named, which only a gateway needs")
    }
    switch facts.update {
    case .fix(let fix): return found(fix, facts)
    case .refused(let refusal):
      return Finding(
        .location, .failed, "\(facts.name) tells a position that is not used: \(words(refusal))",
        remedy: remedy(refusal, facts.choice))
    case .unavailable(let reason):
      return Finding(.location, .failed, reason, remedy: remedy(facts.choice))
    case nil:
      return Finding(
        .location, .failed, "\(facts.name) told no position in \(facts.seconds) s",
        remedy: "wait for its first fix, under an open sky; or name a fixed place")
    }
  }

  private static func found(_ fix: LocationFix, _ facts: LocationFacts) -> Finding {
    if case .place = facts.choice { return Finding(.location, .ok, facts.name) }
    let accuracy = fix.horizontalAccuracy.map { $0 < 1e6 ? ", to \(Int($0.rounded())) m" : "" }
    guard !fix.isSimulated else {
      return Finding(
        .location, .warning, "\(facts.name) has a fix, which it says is simulated",
        remedy: "end the simulator, if this is no test")
    }
    return Finding(.location, .ok, "\(facts.name) has a fix\(accuracy ?? "")")
  }

  private static func words(_ refusal: LocationRefusal) -> String {
    switch refusal {
    case .noFix: "the receiver has no fix"
    case .stale: "it is more than 30 s old"
    case .impossibleDate: "its date cannot be"
    case .impossiblePosition: "its coordinates cannot be"
    }
  }

  private static func remedy(_ refusal: LocationRefusal, _ choice: LocationChoice) -> Remedy? {
    switch refusal {
    case .noFix: "wait for its first fix, under an open sky; or name a fixed place"
    case .stale: remedy(choice)
    case .impossibleDate: "compare this machine's clock with the receiver's; see clock"
    case .impossiblePosition: "see what the receiver says: gpsmon"
    }
  }

  private static func remedy(_ choice: LocationChoice) -> Remedy? {
    switch choice {
    case .place: nil
    case .gpsd(let host, _) where ["localhost", "127.0.0.1", "::1"].contains(host):
      "\(.startUnit("gpsd.socket")); its receiver is named in /etc/default/gpsd"
    case .gpsd(let host, _): "see that gpsd runs on \(host), and listens for others"
    case .geoclue: "see that geoclue-2.0 is installed, and allows luna in /etc/geoclue/geoclue.conf"
    }
  }
}
