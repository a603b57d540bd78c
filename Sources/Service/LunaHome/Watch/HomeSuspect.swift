import Beacons
import Bluetooth
import LunaDocuments
public import LunaJSON
import LunaWatch

/// A tracker that was with the box, with what speaks for its following somebody; also one that is known, with its
/// trips.
public struct HomeSuspect: Sendable {
  /// More identifiers of one are not kept, the oldest go.
  private static let mostIdentifiers = 1_000

  /// The first identifier that it was heard with, as `family:hex`.
  public let id: String
  /// How much speaks for it.
  private(set) var grade: WatchGrade
  /// All that it was heard with, the oldest first.
  private(set) var identifiers: [WatchIdentifier]
  /// When that was found, µs since 1970.
  private(set) var found: Int64
  /// When somebody was told of it last, µs since 1970.
  var told: Int64
  /// What an owner has said of it.
  var mark: HomeMark?
  /// Why it is not judged without anybody having said so: its keys are here.
  private(set) var exclusion: WatchExclusion?
  /// Which of one's own trackers it is, by its id.
  var tracker: String?
  /// What it has told of itself when it was asked, as JSON; null for nothing.
  var identity = JSONValue.null
  /// What speaks for it, as members of its JSON.
  private var evidence: JSONObject

  /// What was found; nil for nothing that has a name.
  init?(_ finding: WatchFinding) {
    guard let first = finding.identifiers.first else { return nil }
    id = first.description
    grade = finding.grade
    identifiers = finding.identifiers
    found = finding.time.microseconds
    told = finding.time.microseconds
    // What somebody has said is a mark, which knows who and when.
    exclusion = finding.exclusion.flatMap { HomeMark.words.contains($0) ? nil : $0 }
    evidence = WatchDocument.evidence(finding)
  }

  /// Whether it is the same one as what was found. Of identifiers that hardly live nobody can say that; one of their
  /// family is as good as the other, until an owner has said something of it.
  func isSame(as finding: WatchFinding) -> Bool {
    guard (grade == .possible) == (finding.grade == .possible) else { return false }
    if grade == .possible { return mark == nil && identifiers.last?.family == finding.family }
    return finding.identifiers.contains { identifiers.contains($0) }
  }

  /// Takes what was found since. What speaks less for it takes nothing back.
  mutating func take(_ finding: WatchFinding) {
    add(finding.identifiers)
    guard finding.grade >= grade else { return }
    grade = finding.grade
    found = finding.time.microseconds
    evidence = WatchDocument.evidence(finding)
  }

  /// Takes identifiers that were linked to it since.
  ///
  /// - Returns: those that were not known.
  @discardableResult
  mutating func add(_ others: [WatchIdentifier]) -> [WatchIdentifier] {
    let new = others.filter { !identifiers.contains($0) }
    identifiers += new
    if identifiers.count > HomeSuspect.mostIdentifiers {
      identifiers.removeFirst(identifiers.count - HomeSuspect.mostIdentifiers)
    }
    return new
  }

  /// It as JSON: what speaks for it, with what somebody has said of it.
  public var json: JSONValue {
    var object: JSONObject = [
      "type": "suspect", "id": .string(id), "time": HomeTime.json(found),
      "told": HomeTime.json(told), "grade": .string(grade.rawValue),
    ]
    object.append("family", .string(identifiers.last?.family.rawValue ?? ""))
    object.append("identifiers", .array(identifiers.map { .string($0.description) }))
    object.members += evidence.members
    if evidence["rssi"] == nil { object.append("rssi", .null) }
    let why = mark?.word ?? exclusion
    object.append("excluded", why.map { .string($0.rawValue) } ?? .null)
    object.append("tracker", tracker.map { .string($0) } ?? .null)
    object.append("mark", mark.map(HomeSuspect.json) ?? .null)
    object.append("changes", .bool(identifiers.last.map { LinkTable.changes($0.family) } ?? true))
    object.append("allows", allows)
    object.append("identity", identity)
    return .object(object)
  }

  /// What its family lets somebody do who does not own it, and whom.
  private var allows: JSONValue {
    guard let family = identifiers.last?.family else { return .null }
    let permissions = FamilyPermissions(family)
    func json(_ access: FamilyPermissions.Access) -> JSONValue {
      ["anyone": .bool(access == .separated), "who": .string(access.description)]
    }
    return ["ring": json(permissions.ring), "identify": json(permissions.identify)]
  }

  private static func json(_ mark: HomeMark) -> JSONValue {
    [
      "as": .string(mark.word.rawValue), "by": .string(mark.who), "time": HomeTime.json(mark.time),
    ]
  }

  /// The members that are no evidence.
  private static let others: Set = [
    "type", "id", "time", "told", "grade", "family", "identifiers", "excluded", "tracker", "mark",
    "changes", "allows", "identity",
  ]

  /// What was kept as the bytes of ``json``; nil for what cannot be read.
  init?(kept bytes: [UInt8]) {
    guard let json = try? JSONReader.read(bytes), case .object(let object) = json,
      let id = HomeSuspect.text("id", object),
      let grade = HomeSuspect.text("grade", object).flatMap({ WatchGrade(rawValue: $0) }),
      let found = HomeSuspect.time("time", object), let told = HomeSuspect.time("told", object),
      case .array(let words)? = object["identifiers"]
    else { return nil }
    self.id = id
    self.grade = grade
    self.found = found
    self.told = told
    identifiers = words.compactMap { word in
      if case .string(let text) = word { WatchIdentifier(text) } else { nil }
    }
    tracker = HomeSuspect.text("tracker", object)
    identity = object["identity"] ?? .null
    if case .object(let said)? = object["mark"],
      let word = HomeSuspect.text("as", said).flatMap({ WatchExclusion(rawValue: $0) }),
      let who = HomeSuspect.text("by", said), let time = HomeSuspect.time("time", said)
    {
      mark = HomeMark(word: word, who: who, time: time)
    }
    evidence = JSONObject()
    evidence.members = object.members.filter { !HomeSuspect.others.contains($0.name) }
    guard !identifiers.isEmpty else { return nil }
  }

  private static func text(_ name: String, _ object: JSONObject) -> String? {
    if case .string(let text)? = object[name] { text } else { nil }
  }

  private static func time(_ name: String, _ object: JSONObject) -> Int64? {
    text(name, object).flatMap { HomeTime.microseconds($0) }
  }
}
