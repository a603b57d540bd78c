import CommandSpec
import LunaAccount
import LunaFleet
import LunaStore

/// `luna finder label`: what an operator scans to take this gateway in.
struct FinderLabelCommand: Sendable {
  var name: String?
  var site: String?
  var manufacturer: String?
  var model: String?
  var at: PlaceOption?
  var file: String?
  var overwrites = false
  var state = StateOption()
  var general = GeneralOptions()

  static let command = Command(
    "label", "Print the label of this gateway, or draw it.",
    discussion: [
      "The label says who the gateway is: the print of its key (gateway.key in the state directory, "
        + "made where there is none), and what else an installer need not type. Nothing on it is "
        + "secret. An operator scans it with the console or luna fleet enroll.",
      "Without -o it prints the text, and on a terminal the code.",
    ],
    initial: FinderLabelCommand(),
    groups: [
      LabelFile.group(\.file, \.overwrites),
      OptionGroup(
        "On the label",
        [
          .value("name", "NAME", "A name", \.name, .text).defaulting(to: "that of this machine"),
          .value("site", "SITE", "The site that it is for", \.site, .text),
          .value("manufacturer", "NAME", "Who made it", \.manufacturer, .text),
          .value("model", "NAME", "Its model", \.model, .text),
          .value("at", "LAT,LON", "Where it will be, degrees", \.at, PlaceOption.reader),
        ]), StateOption.group.scoped(to: \.state), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna finder label", "On the terminal"),
      Example("luna finder label --name kitchen -o label.svg", "To be printed"),
    ],
    exitStatuses: ExitCode.statuses,
    check: { options throws(ValueProblem) in try LabelFile.check(options.file) })

  func run() async -> ExitCode {
    await LabelFile.run(general, file, overwrites) {
      let key = try await GatewayKey(in: StateDirectory(path: try state.path()))
      var payload = GatewayPayload(print: key.print)
      payload.name = GatewayPayload.fitting(name ?? MQTTOptions.host)
      payload.site = GatewayPayload.fitting(site)
      payload.manufacturer = GatewayPayload.fitting(manufacturer)
      payload.model = GatewayPayload.fitting(model)
      payload.position = at.flatMap { PayloadPosition(degrees: ($0.latitude, $0.longitude)) }
      return payload
    }
  }
}
