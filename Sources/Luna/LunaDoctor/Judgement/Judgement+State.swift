import Diagnosis
import LunaCore

extension Judgement {
  /// `state`.
  static func state(_ facts: StateFacts) -> Finding {
    if let problem = facts.problem {
      return Finding(
        .state, .failed, "cannot look at \(facts.path): \(problem)", remedy: notOurs)
    }
    guard let place = facts.place else {
      return .nothing(.state, "\(facts.path) is not there yet; it is made when it is needed")
    }
    guard place.isDirectory else {
      return Finding(
        .state, .failed, "\(facts.path) is no directory", remedy: "use \(.otherDirectory)")
    }
    guard !place.isReadOnly else {
      // Which is no matter of rights.
      return Finding(
        .state, .unknown,
        "\(facts.path) is mounted read-only (see disk), and so its databases cannot be opened")
    }
    let owner = place.ownerName ?? "user \(place.owner)"
    guard place.isUsable else {
      return Finding(
        .state, .failed, "\(facts.path) belongs to \(owner), and this user may not use it",
        remedy: remedy(place, facts))
    }
    if let error = facts.errors.first {
      return Finding(
        .state, error.kind == .busy ? .warning : .failed, error.reason, remedy: error.remedy)
    }
    // Root looks into the directories of services.
    if place.owner != facts.user, facts.user != 0 {
      return Finding(
        .state, .warning, "\(facts.path) belongs to \(owner), who can read the keys in it",
        remedy: remedy(place, facts))
    }
    if let file = facts.openFiles.first {
      return Finding(
        .state, .failed, "others can read \(file), which holds a secret",
        remedy: "\(.closeToOthers(file)); then replace the secret")
    }
    if place.mode & 0o077 != 0 {
      return Finding(
        .state, .warning, "others can look into \(facts.path)",
        remedy: "\(.closeToOthers(facts.path))")
    }
    if let replaced = facts.replaced.first {
      return Finding(
        .state, .warning,
        "a file was replaced or damaged while it was in use, and moved aside: \(replaced)",
        remedy: "see who writes or copies files there, and delete it when it is of no use")
    }
    return Finding(.state, .ok, "\(facts.path) belongs to \(owner) alone and can be read")
  }

  /// That of a service would be of no use to it any more if somebody else took it.
  private static let notOurs: Remedy =
    "use \(.otherDirectory); or, where it is that of a service, try it again as root"

  /// What only root may look into, somebody has made as root by mistake; what others see as well, such as /var/lib,
  /// is the system's.
  private static func remedy(_ place: StateFacts.Place, _ facts: StateFacts) -> Remedy {
    if place.owner == facts.user { return "run: chmod u+rwx \(facts.path)" }
    return place.owner == 0 && place.mode & 0o077 == 0
      ? "\(.takeOver(facts.path)), or use \(.otherDirectory)" : notOurs
  }
}
