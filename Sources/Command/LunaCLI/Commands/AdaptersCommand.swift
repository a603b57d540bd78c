import BlueZ
import Bluetooth
import CommandSpec
import Glibc
import LunaDocuments
import LunaTables
import TerminalTable

/// `luna adapters`: a line for each Bluetooth adapter.
struct AdaptersCommand: Sendable {
  var format: OutputFormat?
  var general = GeneralOptions()

  static let command = Command(
    "adapters", "List the Bluetooth adapters and what each can do.",
    initial: AdaptersCommand(),
    groups: [
      OptionGroup(
        "Output",
        [
          OutputFormat.option(\.format)
        ]),
      GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [Example("luna adapters", "One line per adapter")],
    exitStatuses: ExitCode.statuses)

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    let format = OutputFormat.chosen(format)
    return await CommandRun(output, general.diagnostics).run {
      let adapters = try await Adapter.list()
      guard !adapters.isEmpty else {
        throw CommandFailure(
          .noAdapter, "there is no Bluetooth adapter: the kernel lists none",
          hint: "plug one in, or try luna scan --radio virtual; luna doctor finds out more")
      }
      Listing(fields: Self.fields, columns: Self.titles).append(
        adapters.count, as: format.ofList, to: output,
        line: { appendJSON(adapters[$0], to: $1) }, cells: { columns(adapters[$0]) })
      return .done
    }
  }

  private func appendJSON(_ adapter: Adapter, to output: OutputBuffer) {
    var writer = JSONFieldWriter("adapter", in: output)
    writer.string("adapter", adapter.name)
    if let address = adapter.address { writer.address("address", address) }
    if let alias = adapter.alias { writer.string("name", alias) }
    if let bus = adapter.bus { writer.string("bus", bus.rawValue) }
    if let driver = adapter.driver { writer.string("driver", driver) }
    if let maker = adapter.manufacturer { writer.integer("manufacturer", Int64(maker)) }
    if let version = adapter.hciVersion { writer.integer("hciVersion", Int64(version)) }
    writer.string("state", adapter.state.rawValue)
    if adapter.features.contains(.physKnown) {
      writer.boolean("extended", adapter.features.contains(.extendedAdvertising))
      writer.boolean("phy2m", adapter.features.contains(.phy2M))
      writer.boolean("phyCoded", adapter.features.contains(.phyCoded))
    }
    writer.boolean("le", adapter.features.contains(.lowEnergy))
    if let discovering = adapter.isDiscovering { writer.boolean("discovering", discovering) }
    if !adapter.users.isEmpty { writer.string("users", adapter.users.joined(separator: ", ")) }
    writer.endLine()
  }

  private static let fields = [
    "adapter", "address", "state", "bus", "le", "extended", "phy2m", "phyCoded", "name", "users",
  ]

  private static let titles: [ColumnTable.Column] = [
    .init(title: "ADAPTER"), .init(title: "ADDRESS"), .init(title: "STATE"),
    .init(title: "BUS", isOptional: true), .init(title: "FEATURES", minimum: 8, isOptional: true),
    .init(title: "NAME", minimum: 8), .init(title: "USED BY", minimum: 8, isOptional: true),
  ]

  private func columns(_ adapter: Adapter) -> [String] {
    [
      adapter.name, adapter.address?.description ?? "-", adapter.state.rawValue,
      adapter.bus?.rawValue ?? "-", features(adapter), adapter.alias ?? "-",
      adapter.users.isEmpty ? "-" : adapter.users.joined(separator: "; "),
    ]
  }

  private func features(_ adapter: Adapter) -> String {
    let names: [(AdapterFeatures, String)] = [
      (.lowEnergy, "le"), (.extendedAdvertising, "extended"), (.phy2M, "2m"), (.phyCoded, "coded"),
    ]
    let present = names.filter { adapter.features.contains($0.0) }.map(\.1)
    return present.isEmpty ? "-" : present.joined(separator: "+")
  }
}
