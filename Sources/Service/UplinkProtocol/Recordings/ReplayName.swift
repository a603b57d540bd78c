/// The name of a replay, as a client says it to a server: 1 to 80 letters, digits, `-` and `_`
/// (UPLINK.md, 13). It is a key of a table, never a part of a path that others give.
///
/// Most are `Name-MMDDYYYY`, and their files are called `Name_MMDDYYYY.pcap_client_all.json`.
public struct ReplayName: Hashable, Sendable {
  /// What may be in one, for messages.
  static let form = "1 to \(RecordingLimits.name) letters, digits, - and _"
  private static let clientEnding = ".pcap_client_all"
  private static let serverEnding = ".pcap_server_all"
  private static let json = ".json"

  /// The name.
  public let text: String

  /// A name; nil when it is none.
  public init?(_ text: String) {
    let isWord = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    guard isWord, (1...RecordingLimits.name).contains(text.utf8.count) else { return nil }
    self.text = text
  }

  /// The name of what was recorded on a day.
  ///
  /// - Returns: nil when it is none with the day.
  public init?(_ name: String, year: Int, month: Int, day: Int) {
    func digits(_ number: Int, _ count: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
    guard !name.isEmpty else { return nil }
    self.init("\(name)-\(digits(month, 2))\(digits(day, 2))\(digits(year, 4))")
    guard date != nil else { return nil }
  }

  /// The name of what is in a file; nil when it is no name of one. `.json` may be missing.
  public init?(file: String) {
    var stem = file[...]
    if stem.hasSuffix(ReplayName.json) { stem = stem.dropLast(ReplayName.json.count) }
    if stem.hasSuffix(ReplayName.clientEnding) {
      stem = stem.dropLast(ReplayName.clientEnding.count)
    }
    guard let name = ReplayName(String(stem)) else { return nil }
    self = name.joined(by: "-") ?? name
  }

  /// The name without the day.
  public var name: String { date == nil ? text : String(text.dropLast(9)) }

  /// The day, `MMDDYYYY`; nil where the name has none.
  public var date: String? {
    let last = text.suffix(9)
    let digits = last.dropFirst()
    guard text.utf8.count > 9, last.hasPrefix("-") || last.hasPrefix("_"),
      digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return String(digits)
  }

  /// The name of its control; nil when that would be too long.
  public var control: ReplayName? {
    ReplayName(name + "Random" + (date.map { "-" + $0 } ?? ""))
  }

  /// The file of what the client sends.
  public var clientFile: String { stem + ReplayName.clientEnding + ReplayName.json }

  /// The file of what the server sends.
  public var serverFile: String { stem + ReplayName.serverEnding + ReplayName.json }

  /// What its files begin with.
  public var stem: String { (joined(by: "_") ?? self).text }

  /// Name and day; nil without a day.
  private func joined(by separator: String) -> ReplayName? {
    date.flatMap { ReplayName(name + separator + $0) }
  }
}
