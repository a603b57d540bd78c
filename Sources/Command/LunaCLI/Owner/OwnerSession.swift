import CommandSpec
import Glibc
import Luna
import LunaClient
import LunaCore
import LunaDocuments
import LunaOwner
import LunaProtocol
import LunaStore
import LunaTables
import TerminalTable

/// What the commands of the owner have in common: the store, the output, and what errors mean.
struct OwnerSession {
  let store: SQLiteDeviceStore
  let owner: LunaOwner
  let output: OutputBuffer
  let format: OutputFormat
  let diagnostics: Diagnostics
  /// Another owner of the same devices, with a client of its own.
  let another: @Sendable () -> LunaOwner

  /// How many devices the backend is asked for at a time.
  private static let clients = 4

  /// - Parameter isMade: whether a store is made where there is none; what only looks at it makes none.
  static func run(
    _ options: StoreOptions, _ format: OutputFormat?, _ general: GeneralOptions,
    _ client: ClientOptions? = nil, isMade: Bool = true,
    _ work: (OwnerSession) async throws -> ExitCode
  ) async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    let format = OutputFormat.chosen(format)
    return await CommandRun(output, general.diagnostics).run {
      let store = try await options.open(isMade: isMade)
      var settings = LunaSettings()
      settings.store = store
      if let client {
        let state = try options.state.path()
        // What is wrong with the command line is said before anything begins.
        _ = try client.makeClient(.owner, state: state)
        settings.state = StateDirectory(path: state)
        settings.backend = client.backend
        settings.client = client.configuration(url: "")
        settings.ownerToken = client.givenToken(state)
      }
      return try await work(
        OwnerSession(
          store: store, owner: Luna(settings).owner(), output: output, format: format,
          diagnostics: general.diagnostics, another: { [settings] in Luna(settings).owner() }))
    }
  }

  /// Prints what `body` prints: as comma-separated values, where they are asked for, what its JSON lines tell.
  ///
  /// - Parameter fields: the columns of those.
  func list(_ fields: [String], _ body: (OwnerSession) async throws -> Void) async throws {
    guard format == .csv else { return try await body(self) }
    let lines = OutputBuffer()
    try await body(
      OwnerSession(
        store: store, owner: owner, output: lines, format: .jsonl, diagnostics: diagnostics,
        another: another))
    CSVRows.append(fields, to: output, from: lines)
  }

  /// Prints a device that something was done to, and says so to a person.
  func tell(_ type: StaticString, _ device: Device, _ text: String) {
    if format == .jsonl { DeviceDocument(device: device).append(type, to: output) }
    diagnostics.note("luna: " + text)
  }

  /// Prints all that is known of a device to a person.
  ///
  /// - Parameter revealing: whether its keys are shown.
  func show(_ device: Device, clock: ClockText, revealing: Bool) async throws {
    let document = DeviceDocument(
      device: device, sighting: try await store.lastSightings()[device.uuid],
      clock: try await store.clockStates()[device.uuid])
    let width = Terminal.standardOutputWidth
    for line in document.details(clock, revealing: revealing, width: width) {
      output.append(line: line)
    }
  }

  /// Where gateways heard each of some devices last, as far as the backend knows; nothing of one that it cannot be
  /// asked for: of another maker, or shared until a time that is over.
  func places(of devices: [Device], clock: ClockText) async throws -> [DeviceUUID: Event] {
    let others = max(0, min(OwnerSession.clients, devices.count) - 1)
    let owners = [owner] + (0..<others).map { _ in another() }
    return try await LunaOwner.newestEvents(of: devices, by: owners, before: .now)
      .compactMapValues { EventTable($0, clock: clock).newest }
  }

  /// Prints devices as a table, as lines of JSON or of comma-separated values.
  ///
  /// - Parameter places: where gateways heard them last; nil where nobody asked.
  func list(
    _ devices: [Device], clock: ClockText, revealing: Bool = false,
    places: [DeviceUUID: Event]? = nil
  ) async throws {
    let sightings = try await store.lastSightings()
    let clocks = try await store.clockStates()
    let documents = devices.map {
      DeviceDocument(
        device: $0, sighting: sightings[$0.uuid], clock: clocks[$0.uuid],
        newest: places?[$0.uuid])
    }
    let showsPlaces = places != nil
    var fields = DeviceDocument.columns + (showsPlaces ? DeviceDocument.placeColumns : [])
    // Keys are shown of one device at a time.
    if revealing { fields += documents.first?.keys.map(\.label) ?? [] }
    let width = Terminal.standardOutputWidth
    let columns = DeviceDocument.heads(clock, showsPlaces: showsPlaces, width: width)
    Listing(fields: fields, columns: columns).append(
      documents.count, as: format.ofList, to: output,
      line: { documents[$0].append("device", revealing: revealing, to: $1) },
      cells: { documents[$0].cells(clock, showsPlaces: showsPlaces, width: width) })
  }
}
