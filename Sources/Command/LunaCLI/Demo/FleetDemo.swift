import Bluetooth
import Diagnosis
import HTTPServer
import LunaAccount
import LunaBackend
import LunaClient
import LunaCore
import LunaCrypto
import LunaDocuments
import LunaFleet
import LunaJSON
import LunaStore
import LunaWire
import Synchronization

/// `luna demo --fleet`: a backend on loopback with its console, and gateways that are simulated. They speak
/// to it as real ones do.
final class FleetDemo: Sendable {
  /// How often the gateways report.
  private static let pause = Duration.seconds(5)
  /// How much is told of the time before, and in which steps, s.
  private static let past: (length: Int64, step: Int64) = (24 * 3600, 1800)

  private let place: DemoPlace
  private let printer: FleetDemoPrinter
  private let began = Timestamp.now

  init(place: DemoPlace, printer: FleetDemoPrinter) {
    self.place = place
    self.printer = printer
  }

  /// Runs until its task is cancelled.
  func run() async throws {
    let storage = try StorageLocation.sqlite(place.directory("backend.sqlite")).open()
    try await storage.migrate()
    var configuration = BackendConfiguration()
    configuration.listen = ListenAddress(host: "127.0.0.1", port: 0)
    configuration.pictureReader = ["/proc/self/exe", "backend", "decoder"]
    let server = BackendServer(configuration, storage: storage)
    let address = try await server.start()
    do {
      try await show(server, storage, at: "http://\(address)")
    } catch {
      await FleetDemo.end(server)
      throw error
    }
    await FleetDemo.end(server)
  }

  /// In a task of its own: this one is cancelled, and would wait for nothing.
  private static func end(_ server: BackendServer) async {
    await Task { _ = await server.stop() }.value
  }

  private func show(_ server: BackendServer, _ storage: any Storage, at url: String) async throws {
    let client = try FleetDemoClient(url)
    let keys = try await addRecords(client, storage)
    var reporters: [(gateway: SimulatedGateway, token: SecretBytes)] = []
    for gateway in SimulatedGateway.all {
      guard let key = keys[gateway.name] else { continue }
      let token = try await token(.gateway, key, storage)
      try await tellPast(of: gateway, token, client)
      reporters.append((gateway, token))
    }
    let link = await server.setupLink(hasTerminal: true) ?? url + "/ui/"
    let newcomer = try await newcomer()
    try printer.begin(url: url, link: link, gateways: reporters.count, label: newcomer.payload.text)
    var told = false
    var newToken: SecretBytes?
    while !Task.isCancelled {
      let seconds = seconds
      for (gateway, token) in reporters where gateway.reports(at: seconds) {
        try await client.report(gateway.health(at: seconds), token)
        guard !Task.isCancelled else { return }
        if case .failing(let moment) = gateway.condition, seconds >= moment, !told {
          told = true
          try printer.tell("failed", "\(gateway.name) has lost its adapter") {
            $0.string("gateway", gateway.name)
          }
        }
      }
      if let newToken {
        try await client.report(SimulatedGateway(1).health(at: seconds), newToken)
      } else if try await client.offers(newcomer.offer) {
        newToken = newcomer.token
        try printer.tell("enrolled", "the gateway with the label is there")
      }
      try? await Task.sleep(for: FleetDemo.pause)
    }
  }

  /// Since it began.
  private var seconds: Int64 {
    (Timestamp.now.microseconds - began.microseconds) / 1_000_000
  }

  private func token(
    _ role: TokenRole, _ name: String, rights: AccountRole? = nil, _ storage: any Storage
  ) async throws -> SecretBytes {
    let token = try AccessToken(role)
    try await storage.add(try token.record(name: name, at: .now, rights: rights))
    return SecretBytes(copying: Array(token.text.utf8).span)
  }

  /// - Returns: the keys of the gateways by their names.
  private func addRecords(
    _ client: FleetDemoClient, _ storage: any Storage
  ) async throws -> [String: String] {
    let token = try await token(.admin, "demo", rights: .operator, storage)
    try await client.add(SimulatedGateway.all.map(\.record), token)
    return try await client.keys(token)
  }

  private func tellPast(
    of gateway: SimulatedGateway, _ token: SecretBytes, _ client: FleetDemoClient
  ) async throws {
    let (length, step) = FleetDemo.past
    let samples = stride(from: -length, to: 0, by: Int64.Stride(step))
      .filter { gateway.reports(at: $0) }
      .map { seconds in
        HealthSample(
          time: Timestamp(microseconds: began.microseconds + seconds * 1_000_000),
          health: gateway.health(at: seconds))
      }
    // One that is away was there before: its record says since when.
    let health = gateway.reports(at: 0) ? gateway.health(at: 0) : nil
    try await client.report(health, samples: samples, token)
  }

  private struct NewGateway: Sendable {
    let payload: GatewayPayload
    let offer: EnrolmentOffer
    let token: SecretBytes
  }

  private func newcomer() async throws -> NewGateway {
    let key = try await GatewayKey(in: StateDirectory(path: place.directory("newcomer")))
    var payload = GatewayPayload(print: key.print)
    payload.name = "Simulated newcomer"
    payload.site = "Harbour"
    payload.manufacturer = "Simulated"
    payload.position = PayloadPosition(degrees: (54.101, 12.118))
    let token = try AccessToken(.gateway)
    let digest = try SHA256.digest(of: token.text.utf8Span.span)
    return NewGateway(
      payload: payload,
      offer: try EnrolmentOffer(
        privateKey: key.privateKey, tokenDigest: digest.indices.map { digest[$0] }),
      token: SecretBytes(copying: Array(token.text.utf8).span))
  }
}
