import BlueZ
import Bluetooth
import CommandSpec
import Glibc
import Luna
import LunaDocuments
import LunaOutlets
import LunaProtocol
import LunaTracker

/// `luna tracker run`: gives trackers power.
struct TrackerRunCommand: Sendable {
  var names: [String] = []
  var radio: RadioName?
  var adapter: AdapterSelector?
  var end: StopTime?
  var drift: Int64 = 0
  var losesClock = false
  var exec: String?
  var execKinds: [String] = ["sound"]
  var clock = ClockOptions()
  var zone = ZoneOptions()
  var state = StateOption()
  var general = GeneralOptions()

  static let command = Command(
    "run", "Put trackers on the air.",
    discussion: [
      "The trackers run until Ctrl-C, SIGTERM or --duration. JSON lines report what they "
        + "do: rotated (a new period, with address and identifiers), mode, connectable, "
        + "connected, disconnected, sound, light, state. Whoever connects can onboard a "
        + "tracker, make it sound, and do whatever else the protocol lets its owner or others "
        + "do.",
      "--radio exclusive and h4: follow the protocol in everything: a random address for "
        + "each period, PDU types, intervals and services. --radio dbus asks bluetoothd, which "
        + "decides these itself; the start line names each deviation. --radio virtual uses no "
        + "radio: nobody hears the trackers. auto is dbus.",
      "Ending the program is a power cut. The clock keeps running, unless --lose-clock "
        + "says that it was lost. If the flash cannot be written, the trackers stop: no frame "
        + "may be sent before its state is on the disk.",
      "Lines on standard input act on a tracker: 'button NAME' presses its button, 'reset NAME' "
        + "holds it for 10 s, 'battery NAME normal|low|critical|unknown' sets its battery.",
      "--exec runs a command by sh for each sound, or for what --exec-on names, and ends it when "
        + "the sound ends. It finds LUNA_EVENT and LUNA_TRACKER in its environment, LUNA_SECONDS "
        + "with sound and light, LUNA_WAV (a file with the sound) with sound, LUNA_TRACKER_STATE with "
        + "state, LUNA_ADDRESS with connected and rotated, LUNA_EID with rotated, LUNA_MODE with "
        + "mode, LUNA_CONNECTABLE with connectable. What it prints goes to standard error.",
    ],
    initial: TrackerRunCommand(),
    arguments: [.repeated("NAME", "The names of the trackers", atLeast: 1, \.names, .text)],
    groups: [
      radioGroup,
      OptionGroup(
        "Hardware",
        [
          .value(
            "drift", "PPM", "Make the oscillators wrong by PPM parts per million", \.drift,
            .integer(-1000...1000)),
          .flag("lose-clock", "The clocks were lost during the power cut", \.losesClock),
        ]),
      OptionGroup(
        "Commands",
        [
          .value("exec", "COMMAND", "Run COMMAND when a tracker makes a sound", \.exec, .text),
          .value(
            "exec-on", "EVENT,...", "Run it for these events instead", \.execKinds, kindsReader
          ).defaulting(to: "sound"),
        ]),
      ClockOptions.group.scoped(to: \.clock), ZoneOptions.group.scoped(to: \.zone),
      StateOption.group.scoped(to: \.state),
      GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna tracker run keys", "Through bluetoothd"),
      Example("luna tracker run keys bag --radio exclusive -i hci1", "Two, exactly like real ones"),
      Example(
        "luna tracker run keys --exec 'aplay -q \"$LUNA_WAV\"'", "Make it audible"),
      Example(
        "luna tracker run keys --speed 60 --epoch 2026-01-02T00:00:00Z --radio virtual",
        "A period every 17 seconds, without a radio"),
    ],
    exitStatuses: ExitCode.statuses,
    check: { options throws(ValueProblem) in
      try options.clock.check(options.zone)
      guard options.exec != nil || options.execKinds == TrackerRunCommand().execKinds else {
        throw ValueProblem("--exec-on needs --exec")
      }
    })

  /// How it is on the air.
  private static var radioGroup: OptionGroup<TrackerRunCommand> {
    OptionGroup(
      "Radio",
      [
        .value(
          "radio", "PATH", "auto, dbus, exclusive, h4:... or virtual", \.radio,
          RadioName.reader(
            expects: "auto, dbus, exclusive, h4:tcp:HOST:PORT, h4:PATH or virtual",
            words: RadioName.words.filter { !["observe", "mgmt"].contains($0.name) })
        )
        .defaulting(to: "auto").fromEnvironment("LUNA_RADIO"),
        .value(
          "adapter", short: "i", "hciN|ADDRESS", "Advertise with this adapter", \.adapter,
          ListenOptions.adapterReader.map { $0 }
        ).fromEnvironment("LUNA_ADAPTER"),
        .value(
          "duration", short: "T", "TIME", "Stop after TIME (10s, 5m, 1h), or at TIME (15:00)",
          \.end,
          .stopTime),
      ]
    ).excluding("adapter", beside: "radio", "virtual")
  }

  private static var kindsReader: ValueReader<[String]> {
    ValueReader(expects: TrackerEvents.kinds.joined(separator: ", ") + ", with commas between") {
      text throws(ValueProblem) in
      let words = text.split(separator: ",", omittingEmptySubsequences: false).map { String($0) }
      for word in words where !TrackerEvents.kinds.contains(word) {
        throw ValueProblem("has \"\(word)\", which is no event of a tracker")
      }
      return words
    }
  }

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    return await CommandRun(output, general.diagnostics).run {
      let directory = try state.path()
      var flashes: [TrackerFlash] = []
      for name in names where !flashes.contains(where: { $0.name == name }) {
        flashes.append(try TrackerFlash(name: name, state: directory))
      }
      var settings = TrackerRun.Settings()
      settings.time = clock.time(zone)
      settings.drift = drift
      settings.losesClock = losesClock
      return try await TrackerSession(
        flashes: flashes, radio: try makeRadio(), settings: settings, duration: end?.duration(zone),
        command: exec.map {
          TrackerEvents($0, for: Set(execKinds), diagnostics: general.diagnostics)
        }, diagnostics: general.diagnostics
      ).run()
    }
  }

  private func makeRadio() throws(SourceError) -> any AdvertisingRadio {
    switch radio ?? .path(.auto) {
    case .virtual: SilentAdvertiser()
    case .path(let path): try makeAdvertiser(path, adapter: adapter)
    }
  }
}
