import Bluetooth
import CommandSpec
import Glibc
import LunaClient
import LunaCore
import LunaDocuments
import LunaOwner
import LunaTables
import TerminalTable
import WebAccess

/// `luna owner events`: where finders have heard a tracker.
struct OwnerEventsCommand: Sendable {
  enum Form: String, CaseIterable, Sendable {
    case table, jsonl, csv, gpx, geojson, kml, svg, html
  }

  var device = ""
  var from: GivenTime?
  var to: GivenTime?
  var form: Form?
  var client = ClientOptions()
  var store = StoreOptions()
  var zone = ZoneOptions()
  var general = GeneralOptions()

  static let command = Command(
    "events", "Fetch and open what gateways reported about a tracker.",
    discussion: [
      "It takes --backend URL and a token of that backend's: --token-file FILE, or --sign-in after luna "
        + "login.",
      "The backend only has sealed reports; they are opened here, with the device's keys. "
        + "Reports that cannot be opened are counted, with the reason; reports from a time "
        + "when the tracker cannot have sent what was heard are marked as implausible. You can "
        + "ask for at most a year at once.",
      "The table has a row for each minute in which gateways heard the tracker: where the one was "
        + "that knew its place best, how exactly that, how many there were (a report does not say "
        + "whose it is: those with the very same place count as one), and a link to a map. "
        + "Whoever opens the link tells that map where the tracker was; luna asks nobody.",
      "The picture (--format svg) needs no network: it shows the track, a circle for the "
        + "accuracy of each position, times and a scale. What lies far from all the rest stands at "
        + "the edge, with its distance.",
      "The page (--format html) is one file for a browser, with a map to move and zoom, and a list. "
        + "It loads nothing; its button for streets, and its links, say who then learns the places. "
        + "Public servers of streets may refuse a page that is opened from a disk; from a web server "
        + "they take it. Times in it are on the clocks of who looks.",
    ],
    initial: OwnerEventsCommand(),
    arguments: [
      .required("DEVICE", "The device's uuid, the start of it, or its name", \.device, .text)
    ],
    groups: [
      OptionGroup(
        "Options",
        [
          .value("from", "TIME", ZoneOptions.help("From when"), \.from, .time).required(),
          .value("to", "TIME", "Until when (not inclusive)", \.to, .time).defaulting(to: "now"),
          .value(
            "format", "FORMAT", "table, jsonl, csv, gpx, geojson, kml, svg or html",
            \.form, .choice(forms)
          ).defaulting(to: "table on a terminal, else jsonl").fromEnvironment("LUNA_FORMAT"),
          .value(
            "as", "FORMAT", "The same as --format; json is jsonl", \.form,
            .choice([(Choice("json"), .jsonl)] + forms)),
        ], exclusive: [["format", "as"]]),
      ClientOptions.group(.owner, signsIn: true).scoped(to: \.client),
      StoreOptions.group.scoped(to: \.store), ZoneOptions.group.scoped(to: \.zone),
      GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example(
        "luna owner events keys --from yesterday --backend https://luna.example",
        "Where it was, on a terminal as a table"),
      Example(
        "luna owner events bag --from 2026-11-01 --to 2026-12-01 --format svg > bag.svg",
        "A picture of one month"),
      Example(
        "luna owner events bag --from yesterday --format html > bag.html",
        "A page with a map for a browser"),
      Example(
        "luna owner events bag --from 7d --format kml > bag.kml",
        "The last seven days for Google Earth"),
    ],
    exitStatuses: ExitCode.clientStatuses)

  // With a type of its own: within the list above, the compiler tries it for ten seconds.
  private static let forms: [(Choice, Form?)] = Form.allCases.map { (Choice($0.rawValue), $0) }

  func run() async -> ExitCode {
    let form = form ?? (isatty(STDOUT_FILENO) == 1 ? .table : .jsonl)
    return await OwnerSession.run(
      store, form == .jsonl ? .jsonl : .table, general, client, isMade: false
    ) { session in
      let found = try await session.owner.device(matching: device)
      guard let from = try zone.moment(from) else {
        throw CommandFailure(.usage, "--from is missing")
      }
      guard from <= .now else {
        throw CommandFailure(
          .usage, "--from is in the future", hint: "nothing is known of then yet")
      }
      let events = try await session.owner.findEvents(
        device: found, dateFrom: from, dateTo: try zone.moment(to) ?? .now)
      var summary = events.summary
      switch form {
      case .table:
        let table = EventTable(events.events, clock: zone.clock)
        if table.isShared { summary += "; those within a minute share a line" }
        if !events.events.isEmpty {
          ColumnTable.append(table.heads, table.rows, to: session.output)
        }
        if let map = table.latest { session.output.append(line: "Last at \(map)") }
      case .jsonl:
        for event in events.events {
          EventDocument(event, of: found).append(to: session.output)
        }
        FoundEventsDocument.append(events, to: session.output)
      case .csv, .gpx, .geojson, .kml, .svg:
        guard let export = EventExport(rawValue: form.rawValue) else { break }
        // Each form escapes by its own rules.
        var text = export.text(events.events, name: found.name)
        text.withUTF8 { session.output.append($0) }
      case .html:
        var text = try MapPage(events.events, name: found.name).text
        text.withUTF8 { session.output.append($0) }
      }
      session.diagnostics.note("luna: " + summary)
      return events.events.isEmpty ? .notFound : .done
    }
  }
}
