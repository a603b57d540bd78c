import Bluetooth
import CommandSpec
import Glibc
import LunaCore
import LunaCrypto
import LunaDocuments
import LunaProtocol

/// `luna keys`: what a tracker advertises in some periods.
struct KeysCommand: Sendable {
  var time: GivenTime?
  var counter: UInt32?
  var count: UInt32 = 1
  var secrets = false
  var isEddystone = false
  var exponent: UInt8 = 10
  var key = MasterKeyOptions()
  var zone = ZoneOptions()
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
          .value("at", "TIME", ZoneOptions.help("Start with the period at TIME"), \.time, .time)
            .defaulting(
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
      StoreOptions.group.scoped(to: \.key.store), ZoneOptions.group.scoped(to: \.zone),
      GeneralOptions.group.scoped(to: \.general),
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
      let lines = PeriodLines(output)
      let start = try zone.moment(time) ?? .now
      guard start.microseconds >= 0 else {
        throw CommandFailure(.usage, "there are no periods before 1970", hint: "give a later --at")
      }
      if isEddystone {
        guard let first = counter ?? UInt32(exactly: start.unixMilliseconds / 1000) else {
          throw CommandFailure(
            .usage, "the clock of a beacon ends in the year 2106", hint: "give an earlier --at")
        }
        let identityKey = try await KeyFile.read(
          key.file ?? "-", count: EddystoneEIDDeriver.keyCount, what: "identity key")
        try lines.appendEddystone(
          from: first, count: count, exponent: exponent, identityKey: identityKey)
      } else {
        let masterKey = try await key.read().key
        let first = counter ?? Period.number(at: start.unixMilliseconds)
        let last = UInt32(clamping: UInt64(first) + UInt64(count) - 1)
        try lines.append(first...last, of: masterKey, revealing: secrets)
      }
      return .done
    }
  }
}
