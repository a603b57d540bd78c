import Bluetooth
import CommandSpec
import Glibc
import LunaCore
import LunaCrypto
import LunaProtocol

/// `luna keys`: what a tracker advertises in some periods.
struct KeysCommand: Sendable {
  var time: Timestamp?
  var counter: UInt32?
  var count: UInt32 = 1
  var secrets = false
  var isEddystone = false
  var exponent: UInt8 = 10
  var key = MasterKeyOptions()
  var general = GeneralOptions()

  static let command = Command(
    "keys", "Compute what a tracker advertises in given periods.",
    discussion: [
      "Each period of 1024 seconds is a JSON object on a line, beginning with that of --at "
        + "or --counter. A tracker changes to a new period up to 204 seconds after it begins, "
        + "earlier or later by as much as its clock is off.",
      "With --eddystone, the file holds the identity key (32 hexadecimal digits) of an "
        + "Eddystone-EID beacon, the counter is the beacon's clock in seconds, and --at "
        + "assumes that the beacon's clock is Unix time.",
    ],
    initial: KeysCommand(),
    groups: [
      OptionGroup(
        "Options",
        MasterKeyOptions.options.map { $0.scoped(to: \KeysCommand.key) } + [
          .value("at", "TIME", "Start with the period at TIME", \.time, .time).defaulting(
            to: "now"),
          .value("counter", "N", "Start with period N", \.counter, .integer()),
          .value("count", "K", "How many periods", \.count, .integer(1...)).defaulting(to: "1"),
          .flag("secrets", "Also print what is never sent (botp)", \.secrets),
          .flag("eddystone", "An Eddystone-EID identity key", \.isEddystone),
          .value(
            "exponent", "K", "With --eddystone: a new identifier every 2^K s", \.exponent,
            .integer(0...15)
          )
          .defaulting(to: "10"),
        ],
        exclusive: [
          ["at", "counter"], ["master-key-file", "device"], ["eddystone", "secrets"],
          ["eddystone", "device"],
        ]),
      StoreOptions.group.scoped(to: \.key.store), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna keys --master-key-file key --count 3", "This period and the next two"),
      Example("luna keys --device keys --at 2026-11-21T10:00:00Z", "An onboarded device"),
    ],
    exitStatuses: ExitCode.statuses,
    check: { options throws(ValueProblem) in
      guard options.key.file != nil || options.key.device != nil else {
        throw ValueProblem(
          "the key is missing", remedy: "give --master-key-file FILE or --device DEVICE")
      }
    })

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    return await CommandRun(output, general.diagnostics).run {
      if isEddystone {
        try printEddystone(to: output)
      } else {
        try printPeriods(of: try await key.read().key, to: output)
      }
      return .done
    }
  }

  private func printPeriods(of masterKey: MasterKey, to output: OutputBuffer) throws {
    var schedule = try KeySchedule()
    var reports = try ReportKeyDeriver()
    let keys = schedule.keys(of: masterKey)
    guard let location = keys.location, let control = keys.control else { return }
    let first = counter ?? Period.number(at: (time ?? .now).unixMilliseconds)
    for period in first...UInt32(clamping: UInt64(first) + UInt64(count) - 1) {
      let eid = schedule.eid(keys.identification, period: period)
      let aotp = schedule.aotp(location, period: period)
      output.append("{\"type\":\"period\"")
      var writer = JSONFieldWriter(output, continuing: true)
      writer.integer("counter", Int64(period))
      let start = Period.start(of: period)
      writer.string("from", Timestamp(unixMilliseconds: start).rfc3339)
      writer.string("to", Timestamp(unixMilliseconds: start + Period.milliseconds).rfc3339)
      writer.string("eid", eid.description)
      writer.string("aotp", aotp.revealed)
      writer.string("heid", reports.heid(eid: eid, aotp: aotp).description)
      if secrets {
        schedule.botp(control, period: period).withBytes { writer.hex("botp", $0) }
      }
      output.append("}\n")
      try output.flushIfLarge()
    }
  }

  private func printEddystone(to output: OutputBuffer) throws {
    let identityKey = try KeyFile.read(
      key.file ?? "-", count: EddystoneEIDDeriver.keyCount, what: "identity key")
    var deriver = try EddystoneEIDDeriver()
    let clock = counter ?? UInt32(clamping: (time ?? .now).unixMilliseconds / 1000)
    let first = clock >> exponent
    let last = min(UInt64(first) + UInt64(count) - 1, UInt64(UInt32.max >> exponent))
    for rotation in first...UInt32(last) {
      let start = rotation << exponent
      let eid = try deriver.eid(identityKey, counter: start, exponent: exponent)
      output.append("{\"type\":\"period\"")
      var writer = JSONFieldWriter(output, continuing: true)
      writer.integer("counter", Int64(start))
      let end = Int64(start) + Int64(1) << Int64(exponent)
      writer.string("from", Timestamp(unixMilliseconds: Int64(start) * 1000).rfc3339)
      writer.string("to", Timestamp(unixMilliseconds: end * 1000).rfc3339)
      writer.string("eid", eid.description)
      output.append("}\n")
      try output.flushIfLarge()
    }
  }
}
