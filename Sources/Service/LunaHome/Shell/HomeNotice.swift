public import LunaJSON

/// What a person should know of a home; it stays until it is no longer so.
public struct HomeNotice: Hashable, Sendable {
  /// What it is about.
  public enum Kind: String, Sendable {
    /// The file was read again and cannot be used: the one before holds.
    case badFile
    /// Something in the new file needs a restart.
    case needsRestart
    /// What happens cannot be kept.
    case storage
    /// The same, since there is no room on the disk.
    case diskFull
    /// There is little room left on the disk.
    case diskLow
    /// Old values were put together, since there is no more room for them.
    case thinned
    /// The keys of the trackers are sealed, and nobody has given the passphrase.
    case locked
    /// A part of the file cannot be used here, such as a tracker whose device is not there, or something that people
    /// have made does not go together with it, or has an id that it has now.
    case unusable
    /// A share that is to be made anew cannot be mailed.
    case unmailed
    /// It is not known where the box is, so no trip of it is seen.
    case unlocated
    /// The network treats some traffic differently, as the last check of the uplink says.
    case uplink
  }

  /// What it is about.
  public let kind: Kind
  /// What it is, in a sentence.
  public let text: String
  /// Since when, µs since 1970.
  public let since: Int64

  /// It as JSON.
  public var json: JSONValue {
    ["kind": .string(kind.rawValue), "text": .string(text), "since": HomeTime.json(since)]
  }
}
