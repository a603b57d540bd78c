public import Diagnosis

/// Why a share cannot be made or taken.
public struct ShareError: Diagnosed, CustomStringConvertible, Hashable {
  /// The kinds of failure.
  public enum Kind: String, Sendable {
    /// It has no periods, too many, or some that are too far away.
    case range
    /// It has more than 4 MiB.
    case size
    /// The tracker is not one's own LunaTracker.
    case foreignDevice
    /// The key of a contact is none.
    case contact
    /// A name or a text is too long.
    case text
    /// It is over, or was ended.
    case ended
  }

  /// The kind of failure.
  public let kind: Kind
  /// What happened, and what to do.
  public let diagnosis: Diagnosis

  init(_ kind: Kind, _ reason: String, remedy: Remedy? = nil) {
    self.kind = kind
    diagnosis = Diagnosis(reason, remedy: remedy)
  }

  /// The tracker has no keys that could be shared.
  public static func foreign(_ name: String) -> ShareError {
    ShareError(
      .foreignDevice, "\(name) cannot be shared: only LunaTrackers of one's own can",
      remedy: "who owns it can share it")
  }

  static let range = ShareError(
    .range, "a share has 1 to 33,750 periods of 1,024 s (400 days), before the year 2106",
    remedy: "share it for a shorter time, and renew it")

  static let size = ShareError(
    .size, "a share of so many periods with these rights has more than 4 MiB",
    remedy: "share it for a shorter time, or with fewer rings")

  /// The key of a contact is none.
  package static let contact = ShareError(
    .contact, "the key in the card of this contact cannot be used",
    remedy: "ask for another card")

  static let text = ShareError(
    .text, "the name of the tracker and of its model, and the address of the backend, are too long",
    remedy: "use shorter ones: together they may have 16 KiB")

  /// Its tracker is not among the devices any more.
  package static let forgotten = ShareError(
    .foreignDevice, "the tracker of this share is not among the devices any more",
    remedy: "end the share")

  /// Its owner has ended it.
  package static let ended = ShareError(.ended, "this share was ended", remedy: "make another")

  /// It came too late.
  package static func over(_ sender: String) -> ShareError {
    ShareError(.ended, "this share has ended", remedy: "ask \(sender) for another")
  }
}
