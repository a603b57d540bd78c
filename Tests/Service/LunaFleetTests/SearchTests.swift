import Bluetooth
import LunaJSON
import Testing

@testable import LunaFleet

@Suite struct SearchTests {
  private static let place: JSONValue = [
    "latitude": .real(52.52), "longitude": .real(13.405), "text": "über der Tür",
  ]

  private func isFound(
    by text: String, _ status: SearchedStatus = SearchedStatus()
  ) throws -> Bool {
    let gateway = try Samples.gateway(
      "Café Nord 1",
      [
        "site": "Halle 3", "tags": ["roof", "v2"], "note": "secretword", "place": Self.place,
        "manufacturer": "Łódź GmbH",
      ])
    return try FleetSearch(text).finds(SearchedGateway(gateway), status, at: Samples.now)
  }

  @Test(arguments: [
    "", "  ", "cafe", "CAFÉ", "nord halle", "name:\"cafe nord 1\"", "hub:cafe*", "name:*nord*",
    "site:\"halle 3\"", "tag:roof", "tag:v*", "-tag:cellar", "lodz", "\"nord 1\"", "ca*rd", "*",
    "nothing OR cafe", "tag:x OR tag:roof OR tag:y", "-nothing", "ip:192.0.2.7", "ip:192.0.2.*",
    "mac:c0:ff:ee:00:00:01", "C0:FF:EE:00:00:01", "model:\"model 3\"", "key:gw-*", "has:place",
    "has:site -has:picture", "near:52.52,13.405,10", "near:52.5,13.4,5000", "\"uber der tur\"",
    "state:never", "verdict:unknown", "0011223344556677", "or", "Or OR cafe",
  ])
  func finds(_ text: String) throws { #expect(try isFound(by: text)) }

  @Test(arguments: [
    "secretword", "name:cafe", "site:halle", "tag:roo", "-cafe", "cafe -tag:roof", "near:0,0,1000",
    "nothing OR other", "tag:x cafe OR tag:y cafe", "seen:<1h", "seen:>1h", "queue:>0", "has:seen",
    "\"nord halle\"", "state:online", "near:52.53,13.405,100", "-*",
  ])
  func doesNotFind(_ text: String) throws { #expect(try !isFound(by: text)) }

  @Test func comparesWhatIsKnownNow() throws {
    let status = SearchedStatus(
      state: "late", verdict: "warn", reasons: ["queueOld"],
      seenAt: .init(microseconds: Samples.now.microseconds - 600_000_000), version: "1.10.2-dev",
      hasHealth: true, queueDepth: 5, packetsPerSecond: 12.5)
    for text in [
      "seen:<1h", "seen:>5m", "seen:<=10m", "seen:>=600s", "seen:<1d", "queue:5", "queue:>4",
      "queue:<=5",
      "packets:>12", "version:>1.9", "version:1.10.2", "version:<2", "version:1.10.*", "state:late",
      "state:l*", "reason:queueold", "verdict:warn", "warn", "version:>=1.10.2.0", "has:version",
    ] {
      #expect(try isFound(by: text, status), "\(text)")
    }
    for text in [
      "seen:<5m", "queue:<5", "version:1.10", "version:<1.9", "reason:other", "packets:12",
    ] {
      #expect(try !isFound(by: text, status), "\(text)")
    }
  }

  @Test(arguments: [
    ("foo:bar", 1), ("a foo:bar", 3), ("a -foo:bar", 4), ("-", 1), ("a - b", 3), ("OR a", 1),
    ("a OR", 3),
    ("a OR OR b", 6), ("\"open", 1), ("name:\"open", 6), ("name:", 6), ("name: x", 6), ("\"\"", 1),
    ("seen:5", 6), ("seen:<x", 7), ("seen:-1h", 6), ("queue:many", 7), ("near:1,2", 6),
    ("near:91,0,1", 6), ("near:1,2,x", 6), ("name:>5", 6), ("has:nothing", 5), ("state:gone", 7),
    ("version:x", 9), ("has:>note", 5), (String(repeating: "a ", count: 16) + "b", 33),
    (String(repeating: "ä", count: 257), 257),
  ])
  func tellsTheColumn(_ text: String, _ column: Int) {
    let error = #expect(throws: FleetError.self) { try FleetSearch(text) }
    #expect(error?.code == .search)
    #expect(error?.position == column)
  }

  @Test func takesAsMuchAsIsAllowed() throws {
    _ = try FleetSearch(String(repeating: "a ", count: 16))
    _ = try FleetSearch(String(repeating: "ä", count: 256))
  }

  @Test func partsGateways() throws {
    let gateways = [
      try Samples.gateway("a", ["site": "berlin", "tags": ["x", "y"]]),
      try Samples.gateway("b", ["site": "Aachen", "tags": ["x"]]),
      try Samples.gateway("c", ["site": "Aachen"]),
      try Samples.gateway("d"),
      try Samples.gateway("e", ["site": "Szene"]),
      try Samples.gateway("f", ["site": "Süd"]),
    ]
    let sites = FleetSection.sections(of: gateways, by: .site)
    #expect(sites.map(\.name) == ["Aachen", "berlin", "Süd", "Szene", nil])
    #expect(sites.map(\.count) == [2, 1, 1, 1, 1])
    let tags = FleetSection.sections(of: gateways, by: .tag)
    #expect(tags.map(\.name) == ["x", "y", nil])
    #expect(tags.map(\.count) == [2, 1, 4])
  }

  @Test func sorts() throws {
    let order = try #require(FleetOrder("-name"))
    let (a, b) = (try Samples.gateway("Ärmel"), try Samples.gateway("Zoo"))
    let keys = [a, b].map { (order.key($0, SearchedStatus()), $0.id) }
    #expect(order.isBefore(keys[1], keys[0]))
    #expect(FleetOrder("note") == nil && FleetOrder("--name") == nil)
  }

  @Test(arguments: [("site", "bcad"), ("tag", "cabd"), ("-tag", "dbac")])
  func sortsAsSectionsAre(_ text: String, _ names: String) throws {
    let order = try #require(FleetOrder(text))
    let gateways = [
      try Samples.gateway("d"),
      try Samples.gateway("c", ["site": "Aachen", "tags": ["a", "z"]]),
      try Samples.gateway("b", ["site": "aachen", "tags": ["x"]]),
      try Samples.gateway("a", ["site": "Aachen 2", "tags": ["y", "x"]]),
    ]
    let sorted = gateways.sorted {
      order.isBefore(
        (order.key($0, SearchedStatus()), $0.id), (order.key($1, SearchedStatus()), $1.id))
    }
    #expect(sorted.map(\.name).joined() == names)
  }
}
