/// A configuration file: `key = value` lines, where each long option of a command is a key, under
/// optional `[command]` sections.
///
/// ```
/// # for every command
/// color = never
///
/// [scan]
/// adapter = hci0
/// adapter = hci1
/// trackers = yes
///
/// [owner list]
/// format = jsonl
/// ```
///
/// A value is the rest of the line without the spaces around it: there is no quoting, and a `#`
/// begins a comment only at the start of a line. Flags take `yes`, `no`, `true`, `false`, `on` or
/// `off`, counted flags a number.
public struct ConfigurationFile: Sendable, Equatable {
  struct Entry: Sendable, Equatable {
    /// The words of the section, empty before the first one.
    var section: [String]
    var key: String
    var value: String
    var line: Int
  }
  struct Section: Sendable, Equatable {
    var path: [String]
    var line: Int
  }

  /// What error messages call the file.
  public let name: String
  private(set) var entries: [Entry] = []
  private(set) var sections: [Section] = []

  /// Reads the bytes of a file; `name` is what error messages call it. Which keys and sections
  /// there may be is checked by `Match.merge`.
  public init(_ bytes: some Sequence<UInt8>, name: String) throws(UsageError) {
    var problems: [UsageError] = []
    self.init(bytes, name: name, problems: &problems)
    if let first = problems.first { throw first }
  }

  /// The same, but a line that makes no sense is left out and told; what follows a section that makes
  /// none is left out with it.
  ///
  /// - Parameter problems: what is wrong is appended, in the order of the lines.
  public init(_ bytes: some Sequence<UInt8>, name: String, problems: inout [UsageError]) {
    self.name = name
    var bytes = Array(bytes)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    var section: [String]? = []
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, raw) in lines.enumerated() {
      let place = UsageError.Place.file(name, line: index + 1)
      do throws(UsageError) {
        let line = try Self.text(raw, place)
        if line.isEmpty || line.hasPrefix("#") { continue }
        if line.hasPrefix("[") {
          section = nil
          let path = try Self.section(line, place)
          section = path
          sections.append(Section(path: path, line: index + 1))
        } else {
          let entry = try Self.entry(line, section ?? [], index + 1, place)
          if section != nil { entries.append(entry) }
        }
      } catch {
        problems.append(error)
      }
    }
  }

  /// How many settings it has.
  public var count: Int { entries.count }

  /// The words of the section in which the setting of a line stands; none at the top.
  public func section(ofLine line: Int) -> [String] {
    entries.first { $0.line == line }?.section ?? []
  }

  /// The same without what stands in some lines.
  func leavingOut(_ lines: Set<Int>) -> ConfigurationFile {
    var file = self
    file.entries.removeAll { lines.contains($0.line) }
    file.sections.removeAll { lines.contains($0.line) }
    return file
  }

  private static func text(
    _ raw: ArraySlice<UInt8>, _ place: UsageError.Place
  ) throws(UsageError) -> Substring {
    let raw = raw.last == UInt8(ascii: "\r") ? raw.dropLast() : raw
    guard !raw.contains(where: { ($0 < 0x20 && $0 != UInt8(ascii: "\t")) || $0 == 0x7F }),
      let text = String(validating: raw, as: UTF8.self)
    else {
      throw UsageError(
        .badConfigurationLine, place, "this is no text", hint: "save the file as plain UTF-8")
    }
    return text[...].trimmingSpaces()
  }

  private static func section(
    _ line: Substring, _ place: UsageError.Place
  ) throws(UsageError) -> [String] {
    let words = line.dropFirst().dropLast().split { $0 == " " || $0 == "\t" }.map(String.init)
    guard line.hasSuffix("]"), !words.isEmpty else {
      throw UsageError(
        .badConfigurationLine, place, "this section is not complete", hint: "write [COMMAND]")
    }
    return words
  }

  private static func entry(
    _ line: Substring, _ section: [String], _ number: Int, _ place: UsageError.Place
  ) throws(UsageError) -> Entry {
    let key = line.prefix { $0 != "=" }
    let name = key.trimmingSpaces()
    guard key.endIndex < line.endIndex, !name.isEmpty else {
      throw UsageError(
        .badConfigurationLine, place, "this is no setting", hint: "write 'key = value'")
    }
    let value = line[key.endIndex...].dropFirst().trimmingSpaces()
    return Entry(section: section, key: String(name), value: String(value), line: number)
  }
}
