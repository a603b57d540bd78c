/// A time zone as the system describes it (RFC 8536, TZif, with its footer).
public struct ZoneRules: Sendable {
  /// What is wrong with a description.
  enum Mistake: Error, Hashable {
    /// It is not TZif, or ends too early.
    case malformed
    /// Its footer is no rule of POSIX.
    case footer
  }

  /// Local seconds that exist, do not exist, or exist twice.
  enum Resolved: Hashable {
    /// At this moment, the first one where there are two.
    case at(Int64)
    /// The clock jumps over it at this moment.
    case skipped(Int64)
    /// The clock jumps over the whole day.
    case noSuchDay
  }

  /// The name, as Europe/Berlin.
  public let name: String
  /// Seconds since 1970 at which the offset changes, and to which.
  private let transitions: [(at: Int64, offset: Int)]
  private let first: Int
  private let footer: PosixRule?

  /// UTC.
  public static let utc = ZoneRules(name: "UTC", offset: 0)

  private init(name: String, offset: Int) {
    self.name = name
    transitions = []
    first = offset
    footer = nil
  }

  /// Reads a rule as POSIX writes it in `TZ`; nil for what is none.
  init?(posix text: String) {
    guard let rule = PosixRule(text) else { return nil }
    name = text
    transitions = []
    first = rule.offset(at: 0)
    footer = rule
  }

  /// Reads a file of the system's; nil for what is no such file.
  public init?(name: String, _ bytes: [UInt8]) {
    guard let rules = try? ZoneRules(reading: bytes, name: name) else { return nil }
    self = rules
  }

  init(reading bytes: [UInt8], name: String) throws(Mistake) {
    var reader = TZifReader(bytes)
    var header = try reader.header()
    if header.version >= 2 {
      try reader.skip(header.count(timeBytes: 4))
      header = try reader.header()
    }
    let width = header.version >= 2 ? 8 : 4
    let times = try reader.integers(header.times, bytes: width)
    let kinds = try reader.take(header.times)
    var offsets: [Int] = []
    for _ in 0..<header.types {
      offsets.append(Int(try reader.integer(bytes: 4)))
      try reader.skip(2)
    }
    guard let start = offsets.first, kinds.allSatisfy({ Int($0) < offsets.count }),
      offsets.allSatisfy({ abs($0) <= 26 * 3600 }), zip(times, times.dropFirst()).allSatisfy(<)
    else { throw .malformed }
    try reader.skip(header.characters + header.leaps * (width + 4) + header.standard + header.utc)
    self.name = name
    first = start
    transitions = zip(times, kinds).map { (at: $0, offset: offsets[Int($1)]) }
    footer = header.version >= 2 ? try reader.footer() : nil
  }

  /// How far local time is ahead of UTC, s.
  public func offset(at seconds: Int64) -> Int {
    guard let last = transitions.last else { return footer?.offset(at: seconds) ?? first }
    if seconds >= last.at { return footer?.offset(at: seconds) ?? last.offset }
    let later = firstTransition(after: seconds)
    return later == 0 ? first : transitions[later - 1].offset
  }

  /// The place of the first transition that is later than a moment.
  private func firstTransition(after seconds: Int64) -> Int {
    var (low, high) = (0, transitions.count)
    while low < high {
      let middle = (low + high) / 2
      if transitions[middle].at > seconds { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// The local day and the seconds since its midnight on the clock.
  func local(_ seconds: Int64) -> (day: CivilDate, second: Int) {
    let local = seconds + Int64(offset(at: seconds))
    let day = local >= 0 ? local / 86_400 : (local - 86_399) / 86_400
    return (CivilDate(days: Int(day)), Int(local - day * 86_400))
  }

  /// The moment at which the clock shows a time of a day.
  func resolve(_ day: CivilDate, _ time: ClockTime) -> Resolved {
    let local = Int64(day.days) * 86_400 + Int64(time.seconds)
    // No zone is further from UTC, nor is a jump longer.
    let window = (local - 2 * 86_400)...(local + 2 * 86_400)
    let changes = changes(in: window)
    var offsets = [offset(at: window.lowerBound)]
    for change in changes where !offsets.contains(change.to) { offsets.append(change.to) }
    let found = offsets.map { local - Int64($0) }.filter { $0 + Int64(offset(at: $0)) == local }
    if let moment = found.min() { return .at(moment) }
    for change in changes {
      let (before, after) = (change.at + Int64(change.from), change.at + Int64(change.to))
      guard before <= local, local < after else { continue }
      let midnight = Int64(day.days) * 86_400
      return before <= midnight && midnight + 86_400 <= after ? .noSuchDay : .skipped(change.at)
    }
    return .at(local - Int64(offset(at: local)))
  }

  /// The changes of the offset within some moments.
  func changes(in window: ClosedRange<Int64>) -> [(at: Int64, from: Int, to: Int)] {
    var moments: [Int64] = []
    var place = firstTransition(after: window.lowerBound)
    if place > 0, transitions[place - 1].at == window.lowerBound { place -= 1 }
    while place < transitions.count, transitions[place].at <= window.upperBound {
      moments.append(transitions[place].at)
      place += 1
    }
    if let footer, transitions.last.map({ $0.at < window.upperBound }) ?? true {
      let last = transitions.last?.at ?? .min
      moments += footer.changes(in: window).filter { $0 > last }
    }
    return moments.sorted().compactMap { moment in
      let (from, to) = (offset(at: moment - 1), offset(at: moment))
      return from == to ? nil : (moment, from, to)
    }
  }
}
