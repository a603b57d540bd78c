import Bluetooth
import CommandSpec
import Diagnosis
import Glibc
import LunaDocuments
import LunaOutlets
import LunaTables
import Prometheus
import TerminalTable

/// `luna scan`: every advertisement in the air, decoded.
struct ScanCommand: Sendable {
  var trackers = false
  var filter: FilterExpression?
  var minimumRSSI: Int?
  var fields: [FieldReference]?
  var summary = false
  var lines: SummaryLine?
  var listedField: FieldReference?
  var format: OutputFormat?
  var listen = ListenOptions()
  var metrics = MetricsOption()
  var general = GeneralOptions()

  static let command = Command(
    "scan", "Show every Bluetooth LE advertisement in the air, decoded.",
    discussion: [
      "On a terminal, a live table shows a row for each advertiser, trackers first; ? "
        + "shows its keys. When piped, each advertisement is a JSON object on a line. With "
        + "TERM=dumb, each is a plain line.",
      "luna picks the radio path that sees the most with the permissions it has, and names "
        + "it on standard error; luna-helper(8) says what each needs. Without an adapter, --radio "
        + "virtual shows a simulated room, and --read FILE shows a recording.",
      "A filter compares fields of the JSON lines with constants: rssi > -70, name ~ \"Luna\". The "
        + "operators are == != < <= > >=, in {1, 2} for a set, and ~ for a POSIX extended regular "
        + "expression, in which (?i) in front ignores case. Join comparisons with && || ! (or and, "
        + "or, not) and parentheses; put text in double quotes. has(name) asks whether a field is "
        + "there, data[4:2] is two bytes from offset 4, and company is the name of the maker. "
        + "Hexadecimal digits, UUIDs, addresses, families, kinds of devices and companies compare "
        + "without case, the last three by what the screen shows; a value that such a field never "
        + "has is an error. A word that is no field is searched in them and in names: airtag and "
        + "rssi > -80. Alone it may be any word; beside other conditions it has to be known, and one "
        + "that is not is an error that names the nearest. A name that is not at the top level matches "
        + "the field in any entry of beacons. A comparison with a missing field is false, with != too. "
        + "In the live table, / takes the same filters, or plain words.",
      "Times in a filter are given as in time >= yesterday 09:00, with or without double quotes: RFC "
        + "3339, Unix seconds, 2026-11-21, 2026-11-21 10:00, now, today, yesterday, yesterday 09:00, 15:00 "
        + "(today), 24h or 7d (so long ago). Without a zone they are local, with --utc UTC.",
      "Fields: " + names(FieldCatalog.advertisement.top) + ". In beacons: "
        + names(FieldCatalog.advertisement.items) + ".",
      "Trackers are whatever sends a known family, beacons (iBeacon, Eddystone, AltBeacon) too: for --trackers, "
        + "for what the table counts and t keeps there, and for tracker in the lines of --summary.",
      "With --filter, --trackers or --min-rssi, a scan that shows nothing exits with 1.",
    ],
    initial: ScanCommand(),
    groups: [
      OptionGroup(
        "What to show",
        [
          .flag("trackers", "Show only beacons and trackers of known families", \.trackers),
          .value(
            "filter", "EXPR", "Show only advertisements that match EXPR", \.filter, filterReader),
          .value(
            "min-rssi", "DBM", "Show only advertisements at least as strong as DBM", \.minimumRSSI,
            .integer(-127...20)),
          .value(
            "fields", "LIST", "Show only these fields (JSON lines) or columns (CSV)", \.fields,
            fieldsReader),
          .flag("summary", "Show one line per advertiser at the end", \.summary),
          .value(
            "by", "KEY", "Make one line at the end of each address, family or company", \.lines,
            linesReader),
          .value(
            "list-values", "FIELD", "Only list the values that FIELD can have", \.listedField,
            fieldReader),
          OutputFormat.option(\.format),
        ]),
      ListenOptions.group.scoped(to: \.listen), MetricsOption.group.scoped(to: \.metrics),
      ClockOptions.group.scoped(to: \.listen.clock), ZoneOptions.group.scoped(to: \.listen.zone),
      GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna scan", "A live table of everything nearby"),
      Example("luna scan --trackers --min-rssi -70", "Trackers and beacons nearby"),
      Example("luna scan --radio virtual", "The same in a simulated room, without an adapter"),
      Example(
        "luna scan -T 10s --format jsonl > air.jsonl", "Ten seconds of advertisements as JSON lines"
      ),
      Example(
        "luna scan --filter 'beacon == \"ibeacon\" && rssi > -70 && name ~ \"Luna\"'",
        "Only what matches a filter"),
      Example("luna scan --filter airtag --min-rssi -80", "AirTags nearby"),
      Example(
        "luna scan -r a.btsnoop --summary --filter 'time > 9:00 && time < 10:00'",
        "Who was here today between nine and ten; yesterday 9:00 is a day before"),
      Example("luna scan --list-values beacon", "Which families there are"),
      Example("luna scan -r trace.pcapng --summary", "Who advertised in a recording"),
      Example("luna scan -r trace.pcapng --by company", "Who made what advertised there"),
    ],
    exitStatuses: ExitCode.statuses,
    environment: [EnvironmentVariable("NO_COLOR", "If set and not empty: no colours")],
    seeAlso: [ManualReference("btmon", section: 1), ManualReference("tshark", section: 1)],
    check: { options throws(ValueProblem) in try options.listen.check() })

  private static func names(_ fields: [(name: String, kind: FieldKind)]) -> String {
    fields.map { $0.kind == .map ? $0.name + ".KEY" : $0.name }.joined(separator: ", ")
  }

  private static var filterReader: ValueReader<FilterExpression?> {
    ValueReader(expects: "an expression such as 'beacon == \"ibeacon\" && rssi > -70'") {
      text throws(ValueProblem) in
      do throws(FilterError) {
        return try FilterParser.parse(text)
      } catch {
        throw ValueProblem(
          "is wrong at character \(error.position + 1): \(error.reason)", remedy: error.advice)
      }
    }
  }

  private static var linesReader: ValueReader<SummaryLine?> {
    ValueReader<SummaryLine>.choice.map { $0 }
  }

  private static var fieldsReader: ValueReader<[FieldReference]?> {
    ValueReader<[FieldReference]>.list(
      of: ValueReader(expects: "names of fields, such as time,address,name", read: readField)
    ).map { $0 }
  }

  private static var fieldReader: ValueReader<FieldReference?> {
    ValueReader(expects: "the name of a field, such as beacon", read: readField).map { $0 }
  }

  private static func readField(_ text: String) throws(ValueProblem) -> FieldReference {
    do throws(FieldCatalog.UnknownField) {
      return try FieldCatalog.advertisement.field(text)
    } catch {
      throw ValueProblem("\(error.reason)", remedy: error.advice)
    }
  }

  private var outputFormat: OutputFormat {
    OutputFormat.chosen(format)
  }

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    if let listedField { return await listValues(of: listedField, output) }
    if let note = filter?.note { general.diagnostics.note("luna: \(note)") }
    return await CommandRun(output, general.diagnostics).run {
      let filter = try listen.zone.meant(filter)
      let source = try listen.makeListener()
      let trouble = RadioTrouble()
      let run = ListenRun(
        source: source, isFile: listen.isFile, readPath: listen.readPath, duration: listen.duration,
        count: listen.count,
        recordingPath: listen.writePath, overwrites: listen.overwrites,
        diagnostics: general.diagnostics,
        times: listen.zone.noted, trouble: trouble)
      let page: @Sendable () -> MetricsText = {
        var text = MetricsText()
        text.add(source.counters)
        text.add(isListening: trouble.isListening)
        return text
      }
      return try await metrics.serving(general.diagnostics, page) {
        try await run.run { description in try makeSink(description, filter, output, run) }
      }
    }
  }

  /// Prints what a field can be compared with; 1 where anything will do.
  private func listValues(of field: FieldReference, _ output: OutputBuffer) async -> ExitCode {
    await CommandRun(output, general.diagnostics).run {
      guard let values = field.values else {
        general.diagnostics.note("luna: \(field.text) can have any value")
        return .notFound
      }
      if outputFormat == .csv { CSVLine.append(["field", "value"], to: output) }
      for value in values {
        switch outputFormat {
        case .jsonl:
          var writer = JSONFieldWriter("value", in: output)
          writer.string("field", field.text)
          writer.string("value", value)
          writer.endLine()
        case .csv: CSVLine.append([field.text, value], to: output)
        case .table: output.append(line: value)
        }
      }
      return .done
    }
  }

  /// How many threads make JSON lines; nil for the plain way. Whoever counts, chooses or records looks at one
  /// advertisement after the other.
  private func lineThreads(_ selection: ReportSelection) -> Int? {
    guard listen.isFile, !selection.isRestricting, listen.count == nil, listen.writePath == nil
    else { return nil }
    return listen.readPath.flatMap { LineThreads.count(for: $0) }
  }

  private func makeSink(
    _ description: SourceDescription, _ filter: FilterExpression?, _ output: OutputBuffer,
    _ run: ListenRun
  ) throws -> any ReportSink {
    let selection = ReportSelection(
      minimumRSSI: minimumRSSI, trackersOnly: trackers, filter: filter)
    let adapterName = description.adapterName
    let isFile = listen.isFile
    let isTerminal = isatty(STDOUT_FILENO) == 1
    if outputFormat == .jsonl { StartLine.append(description, to: output) }
    let gate = ListeningGate(
      output, adapter: { [source = run.source] in source.description.adapter }, isLive: !isFile)
    if summary || lines != nil || outputFormat == .table && !isTerminal {
      return SummarySink(
        output, format: outputFormat.ofList, adapterName: adapterName, selection: selection,
        clock: listen.zone.clock, by: lines?.group,
        gate: outputFormat == .jsonl && !isFile ? gate : nil)
    }
    switch outputFormat {
    case .jsonl:
      if let threads = lineThreads(selection) {
        return BlockLinesSink(output, adapterName: adapterName, fields: fields, threads: threads)
      }
      return JSONLinesSink(
        output, adapterName: adapterName, selection: selection, fields: fields,
        flushesEveryBatch: !isFile, gate: gate)
    case .csv:
      return CSVSink(
        output, adapterName: adapterName, selection: selection,
        fields: fields ?? AdvertisementColumns.defaultFields, flushesEveryBatch: !isFile)
    case .table where Terminal.isDumb:
      return PlainSink(
        output, adapterName: adapterName, selection: selection, width: Terminal.standardOutputWidth,
        clock: listen.zone.clock)
    case .table:
      return try TableSink(
        description, selection: selection, zone: listen.zone.givenIn, style: general.tableStyle,
        run: run)
    }
  }
}
