import Bluetooth
import BlueZ
import Captures
import CommandSpec
import LunaTracker
import VirtualRadio

/// Options of every command that listens to the air or to a recording of it.
struct ListenOptions: Sendable {
  var adapters: [AdapterSelector] = []
  var radio: RadioChoice?
  var readPath: String?
  var realtime = false
  var writePath: String?
  var overwrites = false
  var duration: Duration?
  var count: Int?
  var mode = ScanMode.auto
  var phys: [PHY] = [.le1M]
  var clock = ClockOptions()

  static var group: OptionGroup<ListenOptions> {
    OptionGroup(
      "Where from and how long",
      [
        .repeated(
          "adapter", short: "i", "hciN|ADDRESS", "Listen on this adapter", \.adapters,
          adapterReader
        ).fromEnvironment("LUNA_ADAPTER"),
        .value(
          "radio", "PATH",
          "How to listen; h4: takes tcp:HOST:PORT or a path, virtual: takes a seed",
          \.radio, radioReader
        ).defaulting(to: "auto").fromEnvironment("LUNA_RADIO"),
        .value(
          "read", short: "r", "FILE", "Read a capture (btsnoop, pcap, pcapng); - is standard input",
          \.readPath, .file),
        .flag("realtime", "With --read: play at the recorded pace", \.realtime),
        .value(
          "write", short: "w", "FILE", "Record what is heard (.btsnoop or .pcapng)", \.writePath,
          .file),
        .flag("force", "With --write: overwrite an existing file", \.overwrites),
        .value(
          "duration", short: "T", "TIME", "Stop after TIME (10s, 5m, 1h)", \.duration, .duration),
        .value(
          "count", short: "c", "N", "Stop after showing N advertisements", \.count, .integer(1...)
        ),
        .flag("active", "Request scan responses from advertisers", \.mode, to: .active),
        .flag("passive", "Only listen; transmit nothing", \.mode, to: .passive),
        .value("phy", "LIST", "Primary PHYs to listen on: 1m, coded", \.phys, phyReader)
          .defaulting(to: "1m"),
      ],
      exclusive: [["active", "passive"], ["radio", "read"], ["adapter", "read"]])
  }

  static var adapterReader: ValueReader<AdapterSelector> {
    ValueReader(expects: "hciN or an address such as 00:1A:7D:DA:71:13") {
      text throws(ValueProblem) in
      guard let selector = AdapterSelector(text) else { throw ValueProblem("is not an adapter") }
      return selector
    }
  }

  static var radioReader: ValueReader<RadioChoice?> {
    ValueReader(
      expects: "auto, observe, mgmt, dbus, exclusive, h4:tcp:HOST:PORT, h4:PATH or virtual[:SEED]",
      hint: .suggestions(RadioChoice.words)
    ) { text throws(ValueProblem) in
      guard let choice = RadioChoice(text) else { throw ValueProblem("is not a radio path") }
      return choice
    }
  }

  private static var phyReader: ValueReader<[PHY]> {
    .list(of: .choice([(Choice("1m"), PHY.le1M), (Choice("coded"), .leCoded)]))
  }

  /// The room, with LunaTrackers in it.
  private func room(_ seed: UInt64) -> VirtualRadioSource {
    let time = clock.time
    return VirtualRadioSource(seed: seed, isActive: mode != .passive) { start in
      // Without a working libcrypto the room is there all the same; nothing else would work then.
      (try? DemoTracker.guests(seed: seed, start: start.microseconds, time: time)) ?? []
    }
  }

  /// The simulated room of the options with the trackers of a state directory in it, to hear and to
  /// connect to; nil where the options name another path.
  func makeVirtualRadio(
    state: String, _ diagnostics: Diagnostics
  ) throws(TrackerError) -> Radio? {
    guard readPath == nil, case .virtual(let seed)? = radio else { return nil }
    let room = try TrackerRoom.make(
      seed: seed, time: clock.time, state: state, diagnostics)
    return room.radio(isActive: mode != .passive)
  }

  /// Whether the source is a file at full speed.
  var isFile: Bool { readPath != nil && !realtime }

  /// The source that the options describe, not started; in a simulated room with the trackers of a
  /// state directory.
  func makeListener(
    state: String, _ diagnostics: Diagnostics
  ) throws -> any AdvertisementSource {
    try makeVirtualRadio(state: state, diagnostics)?.source ?? makeListener()
  }

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
