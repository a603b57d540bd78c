import CommandSpec
import Diagnosis
import EventLoop
import FileOutput
import Glibc
import LunaClient
import LunaCore
import LunaDocuments
import LunaJSON
import LunaUplink
import UplinkProtocol

/// `luna uplink record`: makes a recording of Luna's own traffic.
struct UplinkRecordCommand: Sendable {
  var name = ""
  var url: String?
  var uploads = 10
  var directory = "."
  var replaces = false
  var client = ClientOptions()
  var output = OutputOptions()
  var state = StateOption()
  var general = GeneralOptions()

  static let command = Command(
    "record", "Record uploads of made-up events, to be replayed.",
    discussion: [
      "Made-up events are uploaded over https through a relay on this machine, which keeps the bytes and "
        + "their times. NAME with the day names the files: what the client sends, what the server sends, "
        + "the control of both with all bits inverted, and a list with the app. All is encrypted as it "
        + "was sent; plain http is not recorded, for the token would be in it. No address is kept. A proxy that "
        + "the environment names is not used, which is said.",
      "A backend stores the events like any others; nobody can read them. With --to and without "
        + "--token-file no token is sent, and the answer does not matter.",
    ],
    initial: UplinkRecordCommand(),
    arguments: [
      .required("NAME", "How it is called: letters, digits, - and _", \.name, .text)
    ],
    groups: [
      OptionGroup(
        "Options",
        [
          .value("to", "URL", "Upload to this server instead of the backend", \.url, .text),
          .value("uploads", "N", "How many batches of 100 events", \.uploads, .integer(1...100))
            .defaulting(to: "10"),
          .value("directory", "DIR", "Write the files into DIR", \.directory, .directory)
            .defaulting(to: "."),
          .flag("force", "Overwrite existing files", \.replaces),
        ]),
      ClientOptions.group(.gateway).scoped(to: \.client),
      OutputOptions.group(of: [.table, .jsonl]).scoped(to: \.output),
      StateOption.group.scoped(to: \.state), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna uplink record Luna --backend https://luna.example", "Uploads to the backend"),
      Example(
        "luna uplink record Other --to https://other.example --directory recordings",
        "The same to any server, without a token"),
    ],
    exitStatuses: ExitCode.uplinkClientStatuses,
    check: { options throws(ValueProblem) in
      guard let name = options.replayName, name.control != nil else {
        throw ValueProblem(
          "the name \(options.name) is none of a recording",
          remedy: "use letters, digits, - and _, at most 65 of them")
      }
      guard options.client.proxy.isEmpty || options.client.proxy == "-" else {
        throw ValueProblem(
          "a recording goes through a relay of its own, and no --proxy", remedy: "leave it out")
      }
    })

  /// The name with today's date, UTC.
  private var replayName: ReplayName? {
    let date = CivilDate(daysSinceEpoch: Int64(Day(.now).number))
    return ReplayName(
      name, year: Int(date.year), month: Int(date.month), day: Int(date.day))
  }

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    let isTable = OutputFormat.chosen(self.output.format) == .table
    return await CommandRun(output, general.diagnostics).run {
      guard let name = replayName, let paths = RecordingFiles.paths(name, in: directory) else {
        return .usage
      }
      let (address, target) = try target()
      let replaces = replaces
      try await Blocking.run { () throws(CommandFailure) in
        for path in paths { try OutputFile.check(path, replacing: replaces) }
      }
      let state = try state.path()
      try await UplinkConsent(in: state).require(general.diagnostics)
      if client.proxy.isEmpty, let variable = UnusedProxy.variable {
        general.diagnostics.warning(
          "luna: the proxy that \(variable) names is not used: what is recorded goes from this machine "
            + "straight to \(target.host)")
      }
      let traffic = try await record(address, target, state: state)
      guard let (client, server) = try traffic.recordings(named: name),
        let files = RecordingFiles(client, server, in: directory)
      else {
        throw CommandFailure(
          .notFound, "nothing was sent, so nothing is recorded",
          hint: "check that \(target.host) can be reached, and try again")
      }
      do throws(FileOutputError) {
        try await files.write(replacing: replaces)
      } catch {
        throw CommandFailure(error)
      }
      show(client, files, isTable, output)
      return .done
    }
  }

  /// Where the events go, which has to be https.
  private func target() throws(CommandFailure) -> (address: String, target: RelayTarget) {
    guard let address = url ?? client.backend else {
      throw CommandFailure(
        .backend, "it is not said where to upload", hint: "give --backend URL or --to URL")
    }
    guard let target = RelayTarget(https: address) else {
      throw CommandFailure(
        .usage, "\(address) is no address of https", hint: "use https://HOST[:PORT]")
    }
    return (address, target)
  }

  private func record(
    _ address: String, _ target: RelayTarget, state: String
  ) async throws -> RecordedTraffic {
    do {
      let relay = try RecordingRelay(to: target)
      var configuration = client.configuration(url: address)
      configuration.proxy = "http://127.0.0.1:\(relay.port)"
      // The token of the backend is for nobody else.
      let token: TokenSource =
        url == nil
        ? client.givenToken(state) ?? .standard(.gateway, in: state)
        : client.tokenFile.map { .file($0) } ?? .none
      let uploader = try BackendClient(configuration, token: token)
      return try await relay.record { try await upload(with: uploader) }.traffic
    } catch let error as RelayError {
      throw CommandFailure(ExitCode(error.kind), error)
    }
  }

  private func upload(with client: BackendClient) async throws {
    var refusal: BackendError?
    for _ in 0..<uploads {
      let batch = try MadeUpEvents.batch()
      do throws(BackendError) {
        _ = try await client.upload(batch)
      } catch {
        guard url != nil, error.status != nil else { throw error }
        refusal = error
      }
    }
    if let refusal {
      general.diagnostics.note("luna: recorded all the same: \(refusal.diagnosis.problem)")
    }
  }

  private func show(
    _ client: Recording, _ files: RecordingFiles, _ isTable: Bool, _ output: OutputBuffer
  ) {
    guard isTable else {
      var line = client.summary
      line.append("files", .array(files.paths.map { .string($0) }))
      return output.append(line: JSONValue.object(line).description)
    }
    for line in client.lines { output.append(line: line) }
    for path in files.paths { output.append(line: path) }
  }
}
