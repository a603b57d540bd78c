import LunaJSON

/// What a file says of the machine and of what it is connected with.
public struct HomeSetup: Hashable, Sendable {
  /// A backend that remote events may come from.
  public struct Endpoint: Hashable, Sendable {
    /// The URL of its API.
    public let url: String
    /// The path of a PEM file with the certificates that it is trusted by; nil where the file names
    /// none.
    public let authorities: String?
  }

  /// The radio path; nil for the usual one.
  public let radio: String?
  /// The adapters that it listens with; empty for the usual one.
  public let adapters: [String]
  /// Where the box is, as a location source.
  public let location: String?
  /// The backends that remote events may come from, in the order in which they are tried; empty for none.
  public let endpoints: [Endpoint]
  /// Whether people can sign in without a backend that answers.
  let allowsOfflineUse: Bool
  /// How often remote events are fetched, µs.
  public let fetchEvery: Int64
  /// Whether this box reports the trackers of others.
  public let isFinder: Bool
  /// Whether everything is made up.
  public let isDemo: Bool
  /// The limit of outgoing requests, ms.
  public let networkTimeout: Int64
  /// The least level of messages on standard error, as the file calls it.
  public let logLevel: String
  /// The least level of messages in `home.log`, as the file calls it.
  public let fileLogLevel: String
  /// The programs that rules may start.
  let programs: [String: [String]]
  /// The broker.
  let broker: BrokerSetup?
  /// Where else people sign in.
  package let issuer: HomeIssuer?
  /// What the app is served with, as JSON by its keys; floors are looked up when they are shown.
  let server: [String: String]

  init(_ root: SourceNode) {
    let box = root["box"]
    radio = box?["radio"]?.text
    adapters = (box?["adapters"]?.members ?? []).map(\.name)
    location = box?["location"]?.text
    let sdk = root["sdkConfig"]
    let type = sdk?["serviceType"]?.text ?? "Dynamic"
    let place = sdk?["serviceLocation"]?.text ?? "Europe"
    let service = root["service"]
    let endpoints = service?["endpoints"]?.members ?? []
    // Dynamic is the first that can be reached, the most usual type first.
    let types = type == "Dynamic" ? ["Field", "Development", "Staging"] : [type]
    self.endpoints = types.compactMap { type in
      guard let member = endpoints.first(where: { $0.name == "\(type).\(place)" }),
        let url = member.value["url"]?.text
      else { return nil }
      return Endpoint(url: url, authorities: member.value["ca"]?.text)
    }
    allowsOfflineUse = sdk?["allowOfflineUse"]?.bool ?? true
    fetchEvery = max(60_000_000, service?["fetchEvery"]?.duration?.microseconds ?? 300_000_000)
    isFinder = root["finder"]?["enabled"]?.bool ?? false
    isDemo = type == "Demo"
    networkTimeout = sdk?["defaultNetworkTimeoutMs"]?.integer ?? 5000
    logLevel = sdk?["consoleLogLevel"]?.text ?? "Info"
    fileLogLevel = sdk?["fileLogLevel"]?.text ?? "None"
    programs = Dictionary(
      (root["exec"]?.members ?? []).map { ($0.name, $0.value.elements.compactMap(\.text)) }
    ) { first, _ in first }
    broker = root["outputs"]?["mqtt"].flatMap { BrokerSetup($0, root) }
    issuer = HomeIssuer(root)
    server = Dictionary(
      (root["server"]?.members ?? []).filter { $0.name != "floorPlans" }
        .map { ($0.name, $0.value.json.description) }
    ) { first, _ in first }
  }

  /// Whether another one needs another process: all but the programs, which are looked up when used.
  func needsRestart(for new: HomeSetup) -> Bool {
    (radio, adapters, location, endpoints, fetchEvery, isFinder)
      != (new.radio, new.adapters, new.location, new.endpoints, new.fetchEvery, new.isFinder)
      || broker != new.broker || issuer != new.issuer || networkTimeout != new.networkTimeout
      || server != new.server
  }
}

extension HomeFile {
  /// What it says of the machine and of what it is connected with.
  public var setup: HomeSetup { HomeSetup(root) }
}
