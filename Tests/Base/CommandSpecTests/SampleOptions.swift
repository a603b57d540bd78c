import CommandSpec

/// Options of the sample program's commands, in the shapes that the real ones have.
struct ScanOptions: Sendable, Equatable {
  var trackers = false
  var filter: String?
  var minimumRSSI: Int8?
  var fields: [String] = ["time", "rssi"]
  var merge = true
  var listen = ListenOptions()
  var general = GeneralOptions()
}

struct ListenOptions: Sendable, Equatable {
  enum Mode: Sendable { case automatic, active, passive }
  enum PHY: String, Sendable, CaseIterable {
    case oneM = "1m"
    case coded
  }

  var adapters: [String] = []
  var radio = "auto"
  var file: String?
  var duration: Duration?
  var count: Int?
  var mode = Mode.automatic
  var phys: [PHY] = [.oneM]
  var stateDirectory: String?

  static let group = OptionGroup<ListenOptions>(
    "Options of commands that listen",
    [
      .repeated(
        "adapter", short: "i", "hciN|ADDRESS", "Listen on this adapter", \.adapters,
        .text.completing(.entries(of: "/sys/class/bluetooth"))
      ).fromEnvironment("LUNA_ADAPTER"),
      .value(
        "radio", "RADIO", "The way to the radio", \.radio,
        .text.completing(
          .suggestions([
            Choice("auto", "the best of those that work"),
            Choice("observe", "read what the kernel's monitor sees"),
            Choice("virtual", "a simulated room (the seed follows a colon)"),
            Choice("h4:tcp:", "a controller behind TCP: HOST:PORT"),
          ]))
      ).defaulting(to: "auto"),
      .value("read", short: "r", "FILE", "Read a capture file instead", \.file, .file).once(),
      .value("duration", short: "T", "TIME", "Stop after this time", \.duration, .duration),
      .value("count", short: "c", "N", "Stop after N advertisements", \.count, .integer(1...))
        .fromEnvironment("LUNA_COUNT"),
      .flag("active", "Ask for scan responses", \.mode, to: .active),
      .flag("passive", "Do not send anything", \.mode, to: .passive),
      .value("phy", "1m,coded", "The PHYs to scan on", \.phys, .list(of: .choice)),
      .value("state", "DIR", "Keep devices and queues here", \.stateDirectory, .directory),
    ], exclusive: [["active", "passive"], ["duration", "count"]]
  ).excluding("adapter", beside: "radio", "virtual")
}

struct GeneralOptions: Sendable, Equatable {
  enum Color: String, Sendable, CaseIterable { case auto, always, never }
  enum Format: String, Sendable, CaseIterable { case table, jsonl, csv }

  var verbosity = 0
  var isQuiet = false
  var color = Color.auto
  var format: Format?
  var config: String?

  static let group = OptionGroup<GeneralOptions>(
    "General options",
    [
      .value("format", "table|jsonl|csv", "The form of the output", \.format, .choice),
      .count("verbose", short: "v", "Say more; twice for even more", \.verbosity),
      .flag("quiet", short: "q", "Say less", \.isQuiet),
      .value("color", "WHEN", "Colours: auto, always or never", \.color, .choice),
      .value("config", "FILE", "Read options from this file", \.config, .file),
    ])
}

struct DecodeOptions: Sendable, Equatable {
  var inputs: [String] = []
  var general = GeneralOptions()
}

struct ReportOptions: Sendable, Equatable {
  var keyFile = ""
  var code: String?
  var latitude = 0.0
  var report = ""
  var note: String?
  var general = GeneralOptions()
}

struct FinderOptions: Sendable, Equatable {
  var once = false
  var general = GeneralOptions()
}
