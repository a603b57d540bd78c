import Bluetooth
import CommandSpec
import Glibc
import LunaCore
import LunaCrypto
import LunaDocuments
import LunaOwner
import LunaProtocol

/// `luna report open`: what a finder reported, for the owner.
struct ReportOpenCommand: Sendable {
  var report = ""
  var heid: HEID?
  var esf: ESF?
  var counter: UInt32?
  var time: GivenTime?
  var key = MasterKeyOptions()
  var zone = ZoneOptions()
  var general = GeneralOptions()

  static let command = Command(
    "open", "Open a location report about one of your trackers.",
    discussion: [
      "Prints the event as a JSON object. Without a period all are tried, the newest first: back to "
        + "onboarding for a device, else to 1970, which takes some seconds."
    ],
    initial: ReportOpenCommand(),
    arguments: [.required("REPORT", "The encoded location, base64", \.report, .text)],
    groups: [
      OptionGroup(
        "Options",
        MasterKeyOptions.options.map { $0.scoped(to: \ReportOpenCommand.key) } + [
          .value("heid", "HEX", "The heid of the report, 32 digits", \.heid, heidReader).required(),
          .value("esf", "HEX", "The esf of the report, 6 digits", \.esf, esfReader).required(),
          .value("counter", "N", "Its period", \.counter, .integer()),
          .value(
            "at", "TIME", ZoneOptions.help("The period at a time, or one beside it"), \.time,
            .time),
        ], exclusive: [["at", "counter"], ["master-key-file", "device"]]),
      StoreOptions.group.scoped(to: \.key.store), ZoneOptions.group.scoped(to: \.zone),
      GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna report open --device keys --heid HEID --esf ESF REPORT", "Where it was")
    ],
    exitStatuses: ExitCode.statuses,
    check: { options throws(ValueProblem) in
      guard options.key.file != nil || options.key.device != nil else {
        throw ValueProblem(
          "the key is missing", remedy: "give --master-key-file FILE or --device DEVICE")
      }
    })

  private static var heidReader: ValueReader<HEID?> {
    ValueReader(expects: "32 hexadecimal digits") { text throws(ValueProblem) in
      guard let heid = HEID(text) else { throw ValueProblem("is not 32 hexadecimal digits") }
      return heid
    }
  }

  private static var esfReader: ValueReader<ESF?> {
    ValueReader(expects: "6 hexadecimal digits") { text throws(ValueProblem) in
      guard let esf = ESF(text) else { throw ValueProblem("is not 6 hexadecimal digits") }
      return esf
    }
  }

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    return await CommandRun(output, general.diagnostics).run {
      guard let heid, let esf else { return .usage }
      let (masterKey, device) = try await key.read()
      var opener = try ReportOpener(masterKey)
      guard let period = opener.period(of: heid, in: try await periods(device)) else {
        throw CommandFailure(
          .notFound, "the heid does not belong to any period of this key that was tried",
          hint: counter == nil && time == nil ? "check the key" : "leave out --counter and --at")
      }
      do throws(ReportRejection) {
        let event = try opener.open(report, heid: heid, esf: esf, period: period)
        EventDocument(event: event, heid: heid, device: device).append(to: output)
        return .done
      } catch {
        throw ReportOpenCommand.failure(error)
      }
    }
  }

  /// The periods to try, the newest first.
  private func periods(
    _ device: Device?
  ) async throws -> ReversedCollection<ClosedRange<UInt32>> {
    if let counter { return (counter...counter).reversed() }
    if let time = try zone.moment(time) {
      let period = Period.number(at: time.unixMilliseconds)
      var range = (period == 0 ? 0 : period - 1)...(period == .max ? .max : period + 1)
      if let device {
        // Its clock may be known to be off.
        let shown = try await key.periods(of: device, at: time)
        range = min(range.lowerBound, shown.first)...max(range.upperBound, shown.last)
      }
      return range.reversed()
    }
    // A tracker whose clock was lost is up to a day ahead.
    let last = Period.number(at: Timestamp.now.unixMilliseconds + 86_400_000)
    let first = device.map {
      WideSearch.firstPeriod(onboardingTimestamp: $0.onboardingSeconds)
    }
    return (min(first ?? 0, last)...last).reversed()
  }

  private static func failure(_ rejection: ReportRejection) -> CommandFailure {
    switch rejection {
    case .base64, .length, .version:
      CommandFailure(
        .unreadableInput, "the report is malformed: \(rejection.reason)",
        hint: "it is 84 characters of base64")
    case .heid, .auth:
      CommandFailure(
        .notFound, "the report does not open: \(rejection.reason)",
        hint: "report, heid and esf must be those of one upload")
    case .location:
      CommandFailure(
        .unreadableInput, "the report opened, but its \(rejection.reason) is not valid",
        hint: "the gateway that made it is faulty")
    }
  }
}
