/// What a scan has changed in the kernel and must be undone, also when the program is killed: it is
/// kept in a file for the next start.
struct ScanLedger: Hashable, Sendable {
  /// The process that made the changes.
  var process: Int32
  /// When that process was started, in the kernel's ticks: numbers of processes are used again.
  var processStart: UInt64
  /// N of hciN.
  var index: UInt16
  /// Tells a registration of the adapter from a later one; what was changed does not outlive it.
  var registration: UInt64
  /// The advertisement monitor.
  var monitor: UInt16?
  /// The window of the monitor's scan before it was changed.
  var window: UInt16?
  /// The PHYs before they were changed.
  var phys: UInt32?
  /// Whether a discovery was started.
  var discovery = false
  /// Whether the adapter was powered on.
  var power = false

  /// A ledger without entries.
  init(process: Int32, processStart: UInt64, index: UInt16, registration: UInt64) {
    self.process = process
    self.processStart = processStart
    self.index = index
    self.registration = registration
  }

  /// Whether nothing is left to be undone.
  var isEmpty: Bool {
    monitor == nil && window == nil && phys == nil && !discovery && !power
  }

  /// A line for each entry: a word and a number.
  var text: String {
    var lines = [
      "process \(process)", "processStart \(processStart)", "index \(index)",
      "registration \(registration)",
    ]
    if let monitor { lines.append("monitor \(monitor)") }
    if let window { lines.append("window \(window)") }
    if let phys { lines.append("phys \(phys)") }
    if discovery { lines.append("discovery 1") }
    if power { lines.append("power 1") }
    return lines.map { $0 + "\n" }.joined()
  }

  /// Reads such lines.
  ///
  /// - Returns: nil when a line of the first four is missing. Words that are not known are skipped.
  init?(_ text: String) {
    var values: [Substring: UInt64] = [:]
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 2, let value = UInt64(words[1]) else { continue }
      values[words[0]] = value
    }
    guard let process = values["process"].flatMap(Int32.init(exactly:)),
      let processStart = values["processStart"],
      let index = values["index"].flatMap(UInt16.init(exactly:)),
      let registration = values["registration"]
    else { return nil }
    self.init(
      process: process, processStart: processStart, index: index, registration: registration)
    monitor = values["monitor"].flatMap(UInt16.init(exactly:))
    window = values["window"].flatMap(UInt16.init(exactly:))
    phys = values["phys"].flatMap(UInt32.init(exactly:))
    discovery = values["discovery"] == 1
    power = values["power"] == 1
  }
}
