import Diagnosis
import Glibc
import LunaDoctor
import LunaDocuments
import Synchronization
import TerminalTable

/// Prints what a doctor finds: for a person a line a check, with what to do below it.
final class DoctorPrinter: Sendable {
  private struct State: ~Copyable {
    let output: OutputBuffer
    var failure: OutputBuffer.WriteError?
    var hasTitles = false
    var findings: [Finding] = []
  }

  private let format: OutputFormat
  private let style: TableStyle
  private let width: Int
  private let state: Mutex<State>

  init(
    _ format: OutputFormat, _ style: TableStyle, width: Int? = Terminal.standardOutputWidth,
    to descriptor: Int32 = STDOUT_FILENO
  ) {
    self.format = format
    self.style = style
    // Wider lines are hard to read; where nobody says how wide it is, it is no terminal.
    self.width = min(width ?? 100, 120)
    state = Mutex(State(output: OutputBuffer(descriptor: descriptor)))
  }

  /// Prints a finding at once.
  func print(_ finding: Finding) {
    state.withLock { state in
      state.findings.append(finding)
      guard state.failure == nil else { return }
      switch format {
      case .table: table(finding, state.output)
      case .jsonl: DoctorPrinter.json(finding, state.output)
      case .csv:
        if !state.hasTitles {
          CSVLine.append(["name", "state", "cause", "remedy"], to: state.output)
          state.hasTitles = true
        }
        CSVLine.append(
          [
            finding.check.rawValue, finding.state.rawValue, finding.cause,
            finding.remedy?.description ?? "",
          ], to: state.output)
      }
      flush(&state)
    }
  }

  /// What was found so far, in words.
  ///
  /// - Parameter count: how many checks there are to be.
  func statistics(of count: Int) -> String {
    let findings = state.withLock { $0.findings }
    let done = "\(findings.count) of \(count) checks done"
    return findings.isEmpty ? done : "\(done): \(DoctorPrinter.summary(findings))"
  }

  /// Ends with what it comes to, for a person.
  func finish(_ findings: [Finding]) throws(OutputBuffer.WriteError) {
    let failure = state.withLock { state in
      if format == .table, state.failure == nil {
        state.output.append("\n")
        for line in DisplayText.wrap(DoctorPrinter.summary(findings), width: width) {
          paint(worst(findings), line, state.output)
          state.output.append("\n")
        }
        flush(&state)
      }
      return state.failure
    }
    if let failure { throw failure }
  }

  private func flush(_ state: inout State) {
    do throws(OutputBuffer.WriteError) {
      try state.output.flush()
    } catch {
      state.failure = error
    }
  }

  private static func json(_ finding: Finding, _ output: OutputBuffer) {
    var writer = JSONFieldWriter("check", in: output)
    writer.string("name", finding.check.rawValue)
    writer.string("state", finding.state.rawValue)
    writer.string("cause", finding.cause)
    if let remedy = finding.remedy { writer.string("remedy", remedy.description) }
    writer.endLine()
  }

  private static let nameWidth = Check.allCases.map(\.rawValue.count).max() ?? 0

  private func table(_ finding: Finding, _ output: OutputBuffer) {
    let sign = sign(finding)
    paint(finding.isApplicable ? finding.state : nil, sign, output)
    let name = finding.check.rawValue
    let padding = String(repeating: " ", count: DoctorPrinter.nameWidth - name.count + 2)
    let beside = DisplayText.width(sign) + 1 + DoctorPrinter.nameWidth + 2
    // Where there is no room beside the name, all else stands below it.
    let isNarrow = width - beside < 12
    let indent = isNarrow ? 2 : beside
    output.append(text: isNarrow ? " \(name)" : " \(name)\(padding)")
    if isNarrow { output.append("\n") }
    let lines = DisplayText.wrap(
      DisplayText.clean(finding.cause, asciiOnly: !style.isUnicode), width: max(2, width - indent))
    for (index, line) in lines.enumerated() {
      if isNarrow || index > 0 { output.append(text: String(repeating: " ", count: indent)) }
      if finding.isApplicable {
        output.append(line: line)
      } else {
        paint(nil, line, output)
        output.append("\n")
      }
    }
    guard let remedy = finding.remedy, finding.state != .ok else { return }
    let arrow = style.isUnicode ? "→ " : "-> "
    let text = DisplayText.clean(remedy.description, asciiOnly: !style.isUnicode)
    let room = max(2, width - indent - arrow.count)
    for (index, line) in DisplayText.wrap(text, width: room).enumerated() {
      let start = index == 0 ? arrow : String(repeating: " ", count: arrow.count)
      output.append(text: String(repeating: " ", count: indent) + start)
      output.append(line: line)
    }
  }

  private func sign(_ finding: Finding) -> String {
    guard finding.isApplicable else { return style.isUnicode ? "–" : "-   " }
    switch finding.state {
    case .ok: return style.isUnicode ? "✓" : "ok  "
    case .warning: return style.isUnicode ? "!" : "warn"
    case .failed: return style.isUnicode ? "✗" : "FAIL"
    case .unknown: return style.isUnicode ? "?" : "?   "
    }
  }

  /// In the colour of a state; faint where there is none.
  private func paint(_ state: CheckState?, _ text: String, _ output: OutputBuffer) {
    guard style.isColored else { return output.append(text: text) }
    switch state {
    case .ok: output.append("\u{1B}[32m")
    case .warning: output.append("\u{1B}[33m")
    case .failed: output.append("\u{1B}[31m")
    case .unknown: output.append("\u{1B}[35m")
    case nil: output.append("\u{1B}[2m")
    }
    output.append(text: text)
    output.append("\u{1B}[0m")
  }

  private func worst(_ findings: [Finding]) -> CheckState {
    [.failed, .warning, .unknown].first { state in findings.contains { $0.state == state } } ?? .ok
  }

  private static func summary(_ findings: [Finding]) -> String {
    func names(_ state: CheckState) -> String {
      findings.filter { $0.state == state }.map(\.check.rawValue).joined(separator: ", ")
    }
    func count(_ state: CheckState) -> Int { findings.count { $0.state == state } }
    var parts: [String] = []
    if count(.failed) > 0 { parts.append("\(count(.failed)) failed (\(names(.failed)))") }
    let warnings = count(.warning)
    if warnings > 0 {
      parts.append("\(warnings) warning\(warnings == 1 ? "" : "s") (\(names(.warning)))")
    }
    if count(.unknown) > 0 {
      parts.append("\(count(.unknown)) could not be found out (\(names(.unknown)))")
    }
    return parts.isEmpty ? "Nothing is in the way." : parts.joined(separator: ", ") + "."
  }
}
