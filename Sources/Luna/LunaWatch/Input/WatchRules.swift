/// The rules, each of which can be turned off to see what it is worth.
public struct WatchRules: OptionSet, Sendable {
  /// A bit for each.
  public let rawValue: UInt16

  /// Those of some bits.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// A trip counts only with ten minutes of the visit after it.
  public static let bothEnds = WatchRules(rawValue: 1)
  /// Identifiers that follow each other are taken as one tracker.
  public static let chain = WatchRules(rawValue: 2)
  /// A link where others of the family come or go is worth less.
  public static let crowd = WatchRules(rawValue: 4)
  /// No link near the begin or end of a trip.
  public static let noLinkAtEdges = WatchRules(rawValue: 8)
  /// What says that its owner is near gives no alarm.
  public static let nearOwner = WatchRules(rawValue: 16)
  /// An alarm for what stays half an hour at a known place after a trip.
  public static let stayed = WatchRules(rawValue: 32)
  /// An alarm takes a confidence of 0.6.
  public static let confidence = WatchRules(rawValue: 64)
  /// Identifiers that live shortly are judged together.
  public static let shortLived = WatchRules(rawValue: 128)
  /// A link takes about the same signal at both sides.
  public static let signal = WatchRules(rawValue: 256)

  /// All of them, with their names.
  public static let named: [(name: String, rule: WatchRules)] = [
    ("bothEnds", .bothEnds), ("chain", .chain), ("crowd", .crowd),
    ("noLinkAtEdges", .noLinkAtEdges), ("nearOwner", .nearOwner), ("stayed", .stayed),
    ("confidence", .confidence), ("shortLived", .shortLived), ("signal", .signal),
  ]
  /// All of them.
  public static let all = WatchRules(rawValue: 511)
}
