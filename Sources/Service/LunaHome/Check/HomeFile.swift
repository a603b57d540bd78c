import LunaJSON

/// A home's file as it was read, with everything that is wrong in it.
public struct HomeFile: Sendable {
  /// All problems, in the order of the file; at most a hundred.
  public let problems: [Problem]
  /// Whether it can be used: there are warnings at most.
  public let isUsable: Bool
  /// The file as it came.
  public let bytes: [UInt8]
  let root: SourceNode
  let text: SourceText
  private let commas: [Int]

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - bytes: all of it; a larger one than 1 MiB is refused.
  ///   - surroundings: the machine that it is for.
  public init(_ bytes: [UInt8], in surroundings: HomeSurroundings = HomeSurroundings()) {
    self.bytes = bytes
    text = SourceText(bytes)
    var reader = SourceReader(text)
    let node = reader.read()
    root = node ?? SourceNode(value: .object([]), range: 0..<0)
    commas = reader.commas.sorted()
    var problems = reader.problems
    if node != nil {
      let version = root["version"]
      let isNewer = version.map(HomeFile.isNewer) ?? false
      if isNewer, let version {
        problems.add(
          .newerVersion, at: version.range.lowerBound, path: ["version"],
          "version \(version.json) is newer than this program, which knows \(HomeKeys.version)",
          hint: "install a newer program")
      } else {
        var shapes = ShapeCheck(problems, isStrict: root["strict"]?.bool ?? false)
        shapes.check(root, HomeKeys.root)
        var references = ReferenceCheck(shapes.problems, root, surroundings)
        references.check()
        problems = references.problems
      }
    }
    self.problems = problems.sorted
    isUsable = !problems.hasErrors
  }

  private static func isNewer(_ version: SourceNode) -> Bool {
    let number = version.number ?? version.text.flatMap { Double($0) }
    return number.map { $0 >= Double(HomeKeys.version) + 0.1 } ?? false
  }

  /// How many commas are missing.
  public var missingCommas: Int { commas.count }

  /// The file with the missing commas, and no other byte changed.
  public var withCommas: [UInt8] {
    Edit.applied(commas.map { Edit(range: $0..<$0, text: ",") }, to: bytes)
  }

  /// Whether it is written as older programs wanted it; it is read as it is all the same.
  public var isOlder: Bool { !olderParts.isEmpty }

  /// The file as this program would have it: what has another name or form today is replaced, and
  /// every other byte, comments among them, stays.
  public var migrated: [UInt8] { Edit.applied(olderParts, to: bytes) }
}
