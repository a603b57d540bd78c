import BlueZ
import CommandSpec
import Glibc
import LunaClient
import LunaCore
import LunaDocuments
import LunaFinder

/// `luna setup gateway`: configures, enrols, starts and examines a gateway.
struct SetupGatewayCommand: Sendable {
  var codeFile: String?
  var location: String?
  /// As luna finder reads it; `first` is an answer as well.
  var adapter: String?
  var duty: FinderDuty?
  var isConfirmed = false
  var overwrites = false
  var directory = SetupGatewayCommand.usualDirectory
  var skipsService = false
  var client = ClientOptions()
  var general = GeneralOptions()

  /// Where the service looks.
  static let usualDirectory = "/etc/luna"

  static let command = Command(
    "gateway", "Make this machine a gateway: configure, enrol and start luna finder.",
    discussion: [
      "Asks for the backend, an enrolment code (luna backend enroll NAME makes one), the place, the "
        + "adapter and the duty; what is given as an option is not asked for. Writes the "
        + "configuration and the token (mode 0600), installs the service luna-finder where no package "
        + "has, starts it where systemd runs, and ends with luna doctor.",
      "Files that are there are kept: a token is used again when no other is given, a configuration "
        + "in which there are settings needs --force to be written anew. The configuration is "
        + "luna.conf, or the file that the installed service names, or finder.conf where an older "
        + "gateway has it.",
      "With --yes, or where there is no terminal, nothing is asked: --backend is needed, and "
        + "--code-file or --token-file unless there is a token already.",
    ],
    initial: SetupGatewayCommand(),
    groups: [
      OptionGroup(
        "What to set up",
        [
          .value(
            "code-file", "FILE", "Read the enrolment code from FILE; - is standard input",
            \.codeFile, .file),
          .value(
            "location", "WHERE", "static:LAT,LON[,ALT], gpsd[:HOST:PORT] or geoclue", \.location,
            locationReader
          ).defaulting(to: "gpsd"),
          .value(
            "adapter", short: "i", "hciN|ADDRESS|first",
            "Have the gateway listen on this adapter, or on the first that can be used", \.adapter,
            adapterReader
          ).defaulting(to: "first"),
          .value(
            "duty", "HOW", "auto (little until a tracker is near), full, or sparse", \.duty,
            FinderCommand.dutyReader
          ).defaulting(to: "auto"),
          .flag("yes", short: "y", "Do not ask; what is not given is as by itself", \.isConfirmed),
          .flag("force", "Overwrite files that are there", \.overwrites),
          .value(
            "directory", "DIR", "Write the configuration and the token into DIR", \.directory,
            .directory
          ).defaulting(to: usualDirectory),
          .flag("no-service", "Do not start the service", \.skipsService),
        ], exclusive: [["code-file", "token-file"]]),
      ClientOptions.group(.gateway).scoped(to: \.client),
      GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("sudo luna setup gateway", "Asks for everything"),
      Example(
        "sudo luna setup gateway --yes --backend https://luna.example --code-file code",
        "Asks nothing"),
    ],
    exitStatuses: ExitCode.clientStatuses)

  /// The text, once it is known to make sense.
  private static var locationReader: ValueReader<String?> {
    let reader = FinderCommand.locationReader
    return ValueReader(expects: reader.expects, hint: reader.hint) { text throws(ValueProblem) in
      _ = try reader.read(text)
      return text
    }
  }

  private static var adapterReader: ValueReader<String?> {
    let one = ListenOptions.adapterReader
    return ValueReader(expects: "\(one.expects), or first") { text throws(ValueProblem) in
      guard text != "first" else { return text }
      return try one.read(text).description
    }
  }

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    return await CommandRun(output, general.diagnostics).run {
      let service = GatewayService()
      let files = GatewayFiles(
        directory: directory, configuration: service.configuration(in: directory))
      try files.check(replacing: overwrites)
      if !skipsService { try service.check(directory) }
      let isAsking = !isConfirmed && Confirmation.hasTerminal
      if !isAsking { try requireAnswers(files) }
      let questions = Questions(isAsking: isAsking, for: "luna setup gateway")
      let answers = try await ask(questions, files)
      if !skipsService { try await service.makeUser() }
      let token = try await token(answers, questions, files)
      try files.write(
        answers.settings(client), isSecret: hasPassword, token: token, replacing: overwrites,
        general.diagnostics)
      if skipsService {
        general.diagnostics.note("luna: start it with: luna finder --config \(files.configuration)")
      } else {
        try await service.start(general.diagnostics)
      }
      return try await Examination.run(
        files, state: skipsService ? nil : service.state, general.diagnostics)
    }
  }

  /// Whether there is one in the configuration. A proxy without a scheme may have one, too.
  private var hasPassword: Bool { client.proxy.utf8.contains(UInt8(ascii: "@")) }

  /// Names all at once that has to be given where nothing is asked.
  private func requireAnswers(_ files: GatewayFiles) throws(CommandFailure) {
    var missing = client.backend == nil ? ["--backend"] : []
    if codeFile == nil, client.tokenFile == nil, !files.hasToken {
      missing.append("--code-file or --token-file")
    }
    guard !missing.isEmpty else { return }
    let names = missing.joined(separator: ", and ")
    throw CommandFailure(
      .usage, "luna setup gateway needs \(names) where it does not ask",
      hint: isConfirmed ? "add what is missing" : "add what is missing, or run it on a terminal")
  }

  private func ask(_ questions: Questions, _ files: GatewayFiles) async throws -> GatewayAnswers {
    var answers = GatewayAnswers()
    answers.backend = try await questions.answer(
      client.backend, "The URL of the backend", usual: nil, option: "backend"
    ) { text in
      _ = try BackendClient(client.configuration(url: text), token: .file("/dev/null"))
      return text
    }
    let place = try await questions.answer(
      location, "Where this machine is: static:LAT,LON, gpsd or geoclue",
      usual: "gpsd", option: "location", FinderCommand.locationReader.read)
    answers.location = place
    answers.adapter = try await questions.answer(
      adapter, "The adapter: hciN, an address, or first", usual: "first", option: "adapter",
      Self.adapterReader.read)
    answers.duty = try await questions.answer(
      duty?.rawValue, "How much to listen: auto, full or sparse", usual: "auto", option: "duty"
    ) { text in try FinderCommand.dutyReader.read(text)?.rawValue ?? "auto" }
    return answers
  }

  /// The token to be written; nil when the one that is there is used.
  private func token(
    _ answers: GatewayAnswers, _ questions: Questions, _ files: GatewayFiles
  ) async throws -> [UInt8]? {
    if let file = client.tokenFile {
      try files.checkToken(replacing: overwrites)
      let token = try await InputFile.read(file)
      guard token.contains(where: { $0 > UInt8(ascii: " ") }) else {
        throw CommandFailure(
          .unreadableInput, "there is no token in \(file)", hint: "check its name")
      }
      return token
    }
    if codeFile == nil, files.hasToken {
      general.diagnostics.note("luna: the token in \(files.token) is used")
      return nil
    }
    try files.checkToken(replacing: overwrites)
    var code: String
    if let codeFile {
      code = String(decoding: try await InputFile.read(codeFile), as: UTF8.self)
    } else {
      code = try await questions.answer(
        nil, "The enrolment code", usual: nil, option: "code-file", { $0 })
    }
    code = EnrolmentText.code(in: code)
    let configuration = client.configuration(url: answers.backend)
    let (gateway, token) = try await BackendClient(configuration, token: .file("/dev/null"))
      .enrol(code: code)
    general.diagnostics.note("luna: this is now the gateway \(gateway)")
    return Array((token + "\n").utf8)
  }
}
