import Bluetooth
import ChildProcess
import EventLoop
import Glibc
import LunaAccount
import LunaCore
import LunaDocuments
import SafeText

/// What commands about accounts show: to people on standard error what they are to do, to programs
/// lines of JSON.
struct AccountPrinter {
  private let output: OutputBuffer
  private let diagnostics: Diagnostics
  let isJSON: Bool

  init(_ output: OutputBuffer, _ format: OutputFormat, _ diagnostics: Diagnostics) {
    self.output = output
    self.diagnostics = diagnostics
    isJSON = format == .jsonl
  }

  /// What others wrote, on one line.
  func text(_ foreign: String) -> String { "\(ForeignText(foreign))" }

  /// Tells somebody what to do, and opens a browser where that is it.
  func show(_ prompt: SignInPrompt) {
    switch prompt {
    case .device(let code, let address, let complete, let lasts):
      diagnostics.answer("luna: open \(address) on any device, and enter the code \(code)")
      if let complete { diagnostics.answer("luna: or open \(complete)") }
      if isatty(STDERR_FILENO) == 1 {
        for line in QRText.lines(complete ?? address) { diagnostics.answer(line) }
      }
      line("device", address) { writer in
        writer.text("userCode", code)
        if let complete { writer.string("completeAddress", complete) }
        writer.integer("lasts", lasts.components.seconds)
      }
    case .browser(let address):
      diagnostics.answer("luna: open \(address) in a browser of this machine")
      line("browser", address)
      // What the shell starts gets the address as it is: nothing in it is a word of the shell.
      _ = ShellCommand(
        "${BROWSER:-xdg-open} \"$LUNA_ADDRESS\" >/dev/null 2>&1",
        variables: [("LUNA_ADDRESS", address)])
    case .paste(let address, let answer):
      diagnostics.answer("luna: open \(address) in a browser anywhere")
      diagnostics.answer("luna: paste the address at which it ends, or the code in it:")
      line("paste", address)
      Blocking.start { answer(readLine() ?? "") }
    }
  }

  private func line(
    _ way: StaticString, _ address: String, _ more: (inout JSONFieldWriter) -> Void = { _ in }
  ) {
    guard isJSON else { return }
    var writer = JSONFieldWriter("prompt", in: output)
    writer.string("way", way)
    writer.string("page", address)
    more(&writer)
    writer.endLine()
    // A pipe that is closed shows at the end.
    try? output.flush()
  }

  /// - Parameter times: how they are shown to people.
  func append(
    _ identity: Identity, profile: String, path: String?, role: String?, _ times: ShownTimes
  ) {
    guard isJSON else {
      let rows: [(String, String?)] = [
        ("profile", profile), ("issuer", identity.issuer), ("subject", identity.subject),
        ("client", identity.clientID), ("scope", identity.scope), ("role", role),
        ("expires", identity.expiresAt.map(times.moment)),
        ("credential", path.map { "\($0) (plain text, mode 0600)" }),
      ]
      for case (let name, let value?) in rows {
        let blanks = String(repeating: " ", count: 12 - name.count)
        output.append(line: name + blanks + text(value))
      }
      return
    }
    var writer = JSONFieldWriter("account", in: output)
    writer.string("profile", profile)
    writer.string("issuer", identity.issuer)
    if let subject = identity.subject { writer.string("subject", subject) }
    writer.string("clientId", identity.clientID)
    if let scope = identity.scope { writer.string("scope", scope) }
    if let role { writer.string("role", role) }
    if let end = identity.expiresAt { writer.string("expiresAt", end.rfc3339) }
    if let path { writer.string("credential", path) }
    writer.endLine()
  }
}
