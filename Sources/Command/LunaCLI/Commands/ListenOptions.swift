import BlueZ
import Bluetooth
import Captures
import CommandSpec
import Luna
import LunaTracker
import TrackerSimulation
import VirtualRadio

/// Options of every command that listens to the air or to a recording of it.
struct ListenOptions: Sendable {
  var adapters: [AdapterSelector] = []
  var radio: RadioName?
  var readPath: String?
  var realtime = false
  var writePath: String?
  var overwrites = false
  var end: StopTime?
  var count: Int?
  var mode = ScanMode.auto
  var phys: [PHY] = [.le1M]
  var clock = ClockOptions()
  var zone = ZoneOptions()

  /// How long to listen from now on, of a recording how much of it; nil for without end.
  var duration: Duration? { end?.duration(zone) }

  static var group: OptionGroup<ListenOptions> { group(showsAdvertisements: true) }

  /// Those of a command that shows no advertisements: it neither records nor counts them.
  static var silentGroup: OptionGroup<ListenOptions> { group(showsAdvertisements: false) }

  private static func group(showsAdvertisements: Bool) -> OptionGroup<ListenOptions> {
    let recording: [Option<ListenOptions>] = [
      .value(
        "write", short: "w", "FILE", "Record what is heard (.btsnoop or .pcapng)", \.writePath,
        .file
      ).once(),
      .flag("force", "With --write: overwrite an existing file", \.overwrites),
    ]
    let counting: [Option<ListenOptions>] = [
      .value(
        "count", short: "c", "N", "Stop after showing N advertisements", \.count, .integer(1...))
    ]
    return OptionGroup(
      "Where from and how long",
      [
        .repeated(
          "adapter", short: "i", "hciN|ADDRESS", "Listen on this adapter", \.adapters,
          adaptersReader
        ),
        .value(
          "radio", "PATH",
          "How to listen; h4: takes tcp:HOST:PORT or a path, virtual: takes a seed",
          \.radio, RadioName.reader()
        ).defaulting(to: "auto"),
        .value(
          "read", short: "r", "FILE", "Read a capture (btsnoop, pcap, pcapng); - is standard input",
          \.readPath, .file
        ).once(),
        .flag("realtime", "With --read: play at the recorded pace", \.realtime),
      ] + (showsAdvertisements ? recording : []) + [
        .value(
          "duration", short: "T", "TIME", "Stop after TIME (10s, 5m, 1h), or at TIME (15:00)",
          \.end,
          .stopTime)
      ] + (showsAdvertisements ? counting : []) + [
        .flag("active", "Request scan responses from advertisers", \.mode, to: .active),
        .flag("passive", "Only listen; transmit nothing", \.mode, to: .passive),
        .value("phy", "LIST", "Primary PHYs to listen on: 1m, coded", \.phys, phyReader)
          .defaulting(to: "1m"),
      ],
      exclusive: [["active", "passive"], ["radio", "read"], ["adapter", "read"]]
    ).fromEnvironment("LUNA", except: showsAdvertisements ? ["force"] : [])
      .excluding("adapter", beside: "radio", "virtual")
  }

  /// Refuses what makes no sense together.
  ///
  /// - Parameter printsLines: whether standard output has lines, which would spoil a recording there.
  func check(printsLines: Bool = true) throws(ValueProblem) {
    try clock.check(zone)
    if printsLines, writePath == "-" {
      throw ValueProblem(
        "--write - is standard output, where the lines go",
        remedy: "write to a file, or record with luna capture -w -")
    }
    if readPath != nil, case .at = end {
      throw ValueProblem(
        "--duration is a time of day, and --read a recording",
        remedy: "say how much of it to read, as in -T 10m")
    }
  }

  static var adapterReader: ValueReader<AdapterSelector> {
    ValueReader(expects: "hciN or an address such as 00:1A:7D:DA:71:13") {
      text throws(ValueProblem) in
      guard let selector = AdapterSelector(text) else { throw ValueProblem("is not an adapter") }
      return selector
    }
  }

  /// One of several adapters: other options take lists, and this one is repeated.
  static var adaptersReader: ValueReader<AdapterSelector> {
    let one = adapterReader
    return ValueReader(expects: one.expects) { text throws(ValueProblem) in
      guard !text.contains(",") else {
        throw ValueProblem(
          "is not one adapter",
          remedy: "repeat -i, as in -i hci0 -i hci1; in a configuration file a line each")
      }
      return try one.read(text)
    }
  }

  private static var phyReader: ValueReader<[PHY]> {
    .list(of: .choice([(Choice("1m"), PHY.le1M), (Choice("coded"), .leCoded)]))
  }

  /// The room, with LunaTrackers in it.
  private func room(_ seed: UInt64) -> VirtualRadioSource {
    let time = clock.time(zone)
    return VirtualRadioSource(seed: seed, isActive: mode != .passive) { start in
      // Without a working libcrypto the room is there all the same; nothing else would work then.
      (try? DemoTracker.guests(seed: seed, start: start.microseconds, time: time)) ?? []
    }
  }

  /// What hears and connects; in a simulated room with the trackers of a state directory.
  func makeProvider(state: String, _ diagnostics: Diagnostics) throws -> any RadioProvider {
    if let readPath { return CaptureRadio(readPath, inRealTime: realtime) }
    switch radio ?? .path(.auto) {
    case .virtual(let seed):
      return try TrackerRoom.make(seed: seed, time: clock.time(zone), state: state, diagnostics)
    case .path(let path):
      let radio = AdapterRadio(path, options: ScanOptions(adapters: adapters, phys: Set(phys)))
      // What makes no sense is said before anything begins.
      _ = try radio.makeRadio(mode)
      return radio
    }
  }

  /// Whether the source is a file at full speed.
  var isFile: Bool { readPath != nil && !realtime }

  /// The source that the options describe, not started.
  func makeListener() throws(SourceError) -> any AdvertisementSource {
    if let readPath { return CaptureFileSource(path: readPath, realtime: realtime) }
    switch radio ?? .path(.auto) {
    case .virtual(let seed): return room(seed)
    case .path(let path):
      return try makeSource(
        path, options: ScanOptions(adapters: adapters, mode: mode, phys: Set(phys)))
    }
  }
}
