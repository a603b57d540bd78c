import CommandSpec
import Glibc
import LunaClient
import LunaCore
import LunaDocuments
import LunaFleet
import LunaJSON
import SafeText
import TerminalTable

/// One command that asks a backend about the fleet.
struct FleetSession {
  let client: BackendClient
  let output: OutputBuffer
  let format: OutputFormat
  let diagnostics: Diagnostics
  /// How messages show times.
  let times: ShownTimes

  /// Runs a command.
  static func run(
    _ options: FleetOptions, _ work: (FleetSession) async throws -> ExitCode
  ) async -> ExitCode {
    let buffer = OutputBuffer(descriptor: STDOUT_FILENO)
    let diagnostics = options.general.diagnostics
    return await CommandRun(buffer, diagnostics).run {
      guard
        let client = try options.client.makeClient(.admin, state: try options.state.path())
      else {
        throw CommandFailure(.usage, "it is not said which backend", hint: "give --backend URL")
      }
      return try await work(
        FleetSession(
          client: client, output: buffer, format: OutputFormat.chosen(options.output.format),
          diagnostics: diagnostics, times: options.zone.noted))
    }
  }

  /// Asks the backend; what it refuses has the exit code of the contract.
  ///
  /// - Parameters:
  ///   - file: a body that is no JSON.
  ///   - lines: in which line of a file each record of the body stands; the backend counts the records.
  func ask(
    _ method: String, _ path: String, _ body: JSONValue? = nil, file: [UInt8]? = nil,
    lines: [Int] = []
  ) async throws(CommandFailure) -> JSONObject {
    let json: JSONValue
    do throws(BackendError) {
      json = try await client.call(method, path, body, file: file)
    } catch { throw FleetSession.failure(error, lines) }
    guard case .object(let object) = json else { return JSONObject() }
    return object
  }

  private static func failure(_ error: BackendError, _ lines: [Int]) -> CommandFailure {
    let code = error.problem?.code ?? ""
    // What is wrong with lines stands beside.
    if case .array(let errors)? = error.problem?.members["errors"],
      errors.count > (lines.isEmpty ? 1 : 0)
    {
      let texts = errors.compactMap { value -> String? in
        guard case .object(let one) = value, case .string(let detail)? = one["detail"] else {
          return nil
        }
        if case .integer(let record)? = one["line"] {
          let isKnown = record >= 1 && record <= lines.count
          let line = isKnown ? Int64(lines[Int(record) - 1]) : record
          return "line \(line): \(ForeignText(detail))"
        }
        return "\(ForeignText(detail))"
      }
      return CommandFailure(.backend, texts.prefix(10).joined(separator: "; "))
    }
    if code.hasPrefix("qr") { return CommandFailure(.unreadableInput, error) }
    if code == FleetError.Code.search.rawValue { return CommandFailure(.usage, error) }
    switch error.status {
    case 404, 409: return CommandFailure(.notFound, error)
    default: return CommandFailure(error)
    }
  }

  /// The gateway that a person means: by its `id`, its key or its name.
  func gateway(_ text: String) async throws(CommandFailure) -> JSONObject {
    if DeviceReport.isRef(text) { return try await ask("GET", "/v1/gateways/\(text)") }
    let all = try await gateways("")
    let wanted = FoldedText.caseless(text)
    let found = all.filter { gateway in
      gateway["key"] == .string(text) || FoldedText.caseless(gateway.string("name") ?? "") == wanted
    }
    guard let gateway = found.first else {
      throw CommandFailure(
        .notFound, "no gateway is called \(ForeignText(text))", hint: "luna fleet list shows them")
    }
    guard found.count == 1 else {
      throw CommandFailure(.notFound, "more than one gateway is called so", hint: "give its id")
    }
    return gateway
  }

  /// The `id` of the gateway that a person means.
  func id(of text: String) async throws(CommandFailure) -> String {
    try await gateway(text).string("id") ?? ""
  }

  /// So many pages has no fleet: a million gateways.
  private static let pageLimit = 2000

  /// All gateways that a search finds.
  ///
  /// - Parameter isExport: whether the backend is to note that they are taken along.
  func gateways(
    _ search: String, sort: String? = nil, isExport: Bool = false
  ) async throws(CommandFailure) -> [JSONObject] {
    var gateways: [JSONObject] = []
    var cursor: String?
    for _ in 0..<Self.pageLimit {
      var path = "/v1/gateways?limit=500&q=\(QueryText.escaped(search))"
      if let sort { path += "&sort=\(QueryText.escaped(sort))" }
      if isExport { path += "&export=1" }
      if let cursor { path += "&cursor=\(cursor)" }
      let page = try await ask("GET", path)
      gateways += page.objects("gateways")
      cursor = page.string("cursor")
      if cursor == nil { return gateways }
    }
    throw CommandFailure(.backend, "the backend has ever more pages, and no end of them")
  }

  /// A record as a JSON line.
  ///
  /// - Parameter other: takes the line instead of standard output.
  func line(_ type: String, _ record: JSONObject, to other: OutputBuffer? = nil) {
    var line = JSONObject()
    line.append("type", .string(type))
    line.members += record.members.filter { $0.name != "type" }
    (other ?? output).append(line: JSONValue.object(line).description)
  }

  /// Shows a gateway: as a line, or what is known of it in lines for people.
  func show(_ gateway: JSONObject) {
    guard format == .table else { return line("gateway", gateway) }
    for member in gateway.members where member.name != "merged" {
      output.append(line: "\(member.name): \(FleetText.of(member.value))")
    }
  }

  /// Tells what was done: the change as a line, or a sentence.
  func tell(_ change: JSONObject, _ sentence: String) {
    if format == .jsonl {
      line("change", change)
    } else {
      diagnostics.note("luna: \(sentence)")
    }
  }
}
