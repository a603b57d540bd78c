import CommandSpec

/// What a parsed command line of the sample program amounts to.
enum SampleOutcome: Sendable, Equatable {
  case scan(ScanOptions)
  case decode(DecodeOptions)
  case report(ReportOptions)
  case finder(FinderOptions)
  case finderStatus(GeneralOptions)
  case ownerList(GeneralOptions)
}

/// A program with every feature of the module, in the shape of the real one.
enum SampleProgram {
  static let statuses = [
    ExitStatus(0, "done"), ExitStatus(2, "the command line was not understood"),
  ]

  static let scan = Command(
    "scan", "Every advertisement in the air, decoded.",
    discussion: [
      "Shows a live table on a terminal and JSON lines otherwise. The table has a row per "
        + "advertiser, trackers first."
    ],
    initial: ScanOptions(),
    groups: [
      OptionGroup(
        "Options",
        [
          .flag("trackers", "Keep recognised trackers and beacons only", \.trackers),
          .value("filter", "EXPR", "Keep what this expression is true for", \.filter, .text),
          .value(
            "min-rssi", "DBM", "Keep what is at least this strong", \.minimumRSSI,
            .integer(-127...20)),
          .value(
            "fields", "a,b,c", "The columns of CSV", \.fields,
            .list(
              of: .choice(["time", "address", "rssi", "name"].map { (Choice($0), $0) }))
          ).defaulting(to: "time,rssi"),
          .negatableFlag("merge", "Put fragments together", \.merge),
        ]),
      ListenOptions.group.scoped(to: \.listen), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna scan --trackers", "Every tracker around"),
      Example("luna scan --filter 'rssi > -70 && name ~ \"Luna\"'", "What is near and named so"),
    ],
    exitStatuses: statuses,
    environment: [EnvironmentVariable("NO_COLOR", "no colours if it is set")],
    seeAlso: [ManualReference("btmon")],
    check: { options throws(ValueProblem) in
      if options.listen.file != nil, !options.listen.adapters.isEmpty {
        throw ValueProblem("--read and --adapter exclude each other", remedy: "give one of them")
      }
    })

  static let decode = Command(
    "decode", "Decode advertising data given in hexadecimal.", initial: DecodeOptions(),
    arguments: [.repeated("HEX", "Advertising data", \.inputs, .text)],
    groups: [GeneralOptions.group.scoped(to: \.general)])

  static let report = Command(
    "report", "Open a report.", initial: ReportOptions(),
    arguments: [
      .required("REPORT", "The report", \.report, .file),
      .optional("NOTE", "A note", \.note, .text),
    ],
    groups: [
      OptionGroup(
        "Options",
        [
          .value("master-key-file", "FILE", "The key", \.keyFile, .file).required(),
          .value("latitude", "DEGREES", "Where", \.latitude, .number(-90...90)),
          .value(
            "code", "CODE", "The code", \.code,
            .text.map(expects: "a code as on the label") { text throws(ValueProblem) in
              guard text.hasPrefix("LUNA1:") else { throw ValueProblem("is not a code") }
              return text
            }.secret()),
        ]), GeneralOptions.group.scoped(to: \.general),
    ])

  static let finder = Command(
    "finder", "Listen, encrypt, upload.", initial: FinderOptions(),
    groups: [
      OptionGroup("Options", [.flag("once", "Upload once and end", \.once)]),
      GeneralOptions.group.scoped(to: \.general),
    ])

  static let general = [GeneralOptions.group]

  static let root = CommandNode<SampleOutcome>(
    "luna", "A toolkit for Bluetooth LE trackers.",
    groups: [GeneralOptions.group.description],
    subcommands: [
      scan.node { .scan($0) }, decode.node { .decode($0) }, report.node { .report($0) },
      finder.node(
        subcommands: [
          Command("status", "What is queued.", initial: GeneralOptions(), groups: general)
            .node { .finderStatus($0) }
        ]
      ) { .finder($0) },
      CommandNode(
        "owner", "Devices and their keys.", groups: [GeneralOptions.group.description],
        subcommands: [
          Command("list", "A line per device.", initial: GeneralOptions(), groups: general)
            .node { .ownerList($0) },
          Command(
            "secret", "Not shown.", initial: GeneralOptions(), groups: general, isHidden: true
          ).node { .ownerList($0) },
        ]),
    ],
    examples: [Example("luna scan", "What is in the air")], exitStatuses: statuses)

  /// What the words lead to, with an optional configuration file.
  static func run(
    _ words: [String], config: String? = nil, environment: [String: String] = [:]
  ) throws(UsageError) -> SampleOutcome? {
    guard case .run(var match) = try root.parse(words) else { return nil }
    try match.merge { environment[$0] }
    if let config {
      try match.merge(try ConfigurationFile(config.utf8, name: "luna.conf"))
    }
    return try match.resolve()
  }

  /// The error that the words lead to, as one line.
  static func error(_ words: [String], config: String? = nil) -> UsageError? {
    do throws(UsageError) {
      _ = try run(words, config: config)
      return nil
    } catch {
      return error
    }
  }
}
