import Diagnosis
import LunaJSON
import Testing
import UplinkProtocol

struct ServerRecordingTests {
  static let pair = RecordingTests.pair
  static let text =
    #"{"lunaRecording":1,"name":"Pandora-05132024","tcp":{"\#(pair)":[{"requestLength":4,"#
    + #""requestHash":null,"responses":[{"timestamp":0.6,"payload":"00ff"},"#
    + #"{"timestamp":0.7,"fill":98,"seed":7}]}]},"udp":{}}"#

  private static func read(_ text: String) throws(RecordingError) -> ServerRecording {
    try ServerRecording(Array(text.utf8))
  }

  @Test func readsAndWrites() throws {
    let server = try Self.read(Self.text)
    #expect(server.connections.count == 1 && server.flows.isEmpty)
    let exchange = try #require(server.connections.first?.exchanges.first)
    #expect(exchange.requestLength == 4 && exchange.answerLength == 100)
    #expect(exchange.answers[0].content == .payload([0, 255]) && exchange.answers[0].time == 0.6)
    #expect(exchange.answers[1].content == .fill(count: 98, seed: 7))
    #expect(server.json.description == Self.text)
    let udp =
      #"{"lunaRecording":1,"name":"a","tcp":{},"udp":{"\#(Self.pair)":[{"timestamp":1.0,"payload":"00"}]}}"#
    #expect(try Self.read(udp).flows.first?.datagrams.first?.payload == [0])
    #expect(try Self.read(udp).json.description == udp)
  }

  @Test(
    arguments: [
      // Protocol 2 and later, 0, and 1, as Python writes an empty list and more.
      [0x80, 0x02, 0x5D, 0x2E], [0x80, 0x05, 0x95], Array("(lp0\n.".utf8), Array("]q\0.".utf8),
      Array("}.".utf8), Array("cos\nsystem\n(S'id'\ntR.".utf8),
      Array("(dp0\nS'a'\np1\nI1\ns.".utf8),
    ] as [[UInt8]])
  func neverReadsPickles(_ bytes: [UInt8]) throws {
    #expect(throws: RecordingError.pickle) { try ServerRecording(bytes) }
    #expect(throws: RecordingError.pickle) { try Recording(bytes) }
    #expect(throws: RecordingError.pickle) { try AppList(bytes) }
    let text = RecordingError.pickle.description
    #expect(text.contains("Python pickle") && text.contains("never read"))
    #expect(RecordingError.pickle.diagnosis.remedy != nil)
  }

  @Test(arguments: [
    ("lunaRecording", #""lunaRecording":1"#, #""lunaRecording":2"#),
    ("lunaRecording", #""lunaRecording":1"#, #""l":1"#),
    ("name", "Pandora-05132024", "../x"), ("name", "Pandora-05132024", "a;b"),
    ("tcp, connection 1", "010.000.002.015", "../"), ("tcp", #""tcp":{"#, #""t":{"#),
    ("request 1, requestLength", ":4,", ":-4,"), ("request 1, requestLength", ":4,", ":1048577,"),
    ("request 1, requestHash", "null", "\"00\""), ("response 2, fill", "98", "0"),
    ("response 2, fill", "98", "9999999999"), ("response 2, seed", ":7}", ":-1}"),
    ("response 2, seed", ",\"seed\":7", ""), ("response 2, fill", "98", "98,\"payload\":\"00\""),
    ("response 1, payload", "00ff", "00f"), ("response 1, timestamp", "0.6", "601"),
    ("response 1, payload", "payload", "p"), ("request 1, responses", "98", "1073741824"),
  ])
  func saysWhatIsWrong(_ place: String, _ old: String, _ new: String) throws {
    let text = Self.text.replacing(old, with: new, maxReplacements: 1)
    #expect(text != Self.text)
    let error = #expect(throws: RecordingError.self) { try Self.read(text) }
    #expect(try #require(error).description.contains(place), "\(error.debugDescription)")
  }

  @Test func limitsConnectionsAndPackets() {
    func connections(_ count: Int) -> String {
      let all = (1...count).map { number in
        let port = String(String(100_000 + number).dropFirst())
        return #""127.000.000.001.\#(port)-127.000.000.001.00443":[]"#
      }
      return #"{"lunaRecording":1,"name":"a","tcp":{\#(all.joined(separator: ","))}}"#
    }
    #expect(throws: Never.self) { try Self.read(connections(16)) }
    #expect(throws: RecordingError.self) { try Self.read(connections(17)) }
    // Two lists of which each is short enough.
    let packets = [String](repeating: #"{"timestamp":0,"payload":""}"#, count: 50_001)
      .joined(separator: ",")
    let two =
      #"{"lunaRecording":1,"name":"a","udp":{"\#(Self.pair)":[\#(packets)],"#
      + #""127.000.000.001.00001-127.000.000.001.00443":[\#(packets)]}}"#
    let error = #expect(throws: RecordingError.self) { try Self.read(two) }
    #expect(error?.description.contains("more than 100000") == true)
  }

  @Test func fillsWhatIsNotThere() throws {
    let recording = try RecordingTests.read(
      RecordingTests.file([RecordingTests.tcp(length: "9"), RecordingTests.tcp(length: "0")]))
    let server = ServerRecording(filling: recording)
    try server.check(against: recording)
    let exchanges = try #require(server.connections.first).exchanges
    #expect(exchanges.map(\.answerLength) == [9, 0] && exchanges[1].answers.isEmpty)
    #expect(exchanges[0].answers[0].time == 0.5)
    #expect(try ServerRecording(server.json.bytes) == server)
    let udp = try RecordingTests.read(
      RecordingTests.file([RecordingTests.udp()], ports: #"["48080"]"#, pairs: "[]"))
    #expect(ServerRecording(filling: udp).connections.isEmpty)
  }

  @Test func belongsToOneClient() throws {
    let server = try Self.read(Self.text)
    func check(_ packets: [String], pairs: String? = nil, name: String? = nil) throws {
      try server.check(
        against: RecordingTests.read(
          RecordingTests.file(
            packets, pairs: pairs ?? "[\"\(Self.pair)\"]", name: name ?? "Pandora-05132024")))
    }
    let right = RecordingTests.tcp(length: "100")
    try check([right])
    #expect(throws: FormatError.self) { try check([right], name: "Other") }
    #expect(throws: FormatError.self) { try check([right, right]) }
    #expect(throws: FormatError.self) { try check([RecordingTests.tcp(length: "99")]) }
    #expect(throws: FormatError.self) { try check([RecordingTests.tcp("\"00\"", length: "100")]) }
    let other = "127.000.000.001.00001-127.000.000.001.00443"
    #expect(throws: FormatError.self) {
      try check([RecordingTests.tcp(pair: other, length: "100")], pairs: "[\"\(other)\"]")
    }
    let more = try Self.read(
      Self.text.replacing(#""udp""#, with: #""x":0,"udp""#)
        .replacing("}]}]}", with: #"}]},{"requestLength":0,"responses":[]}]}"#))
    #expect(throws: FormatError.self) {
      try more.check(against: RecordingTests.read(RecordingTests.file([right])))
    }
    let udp = try RecordingTests.read(
      RecordingTests.file([RecordingTests.udp()], ports: #"["48080"]"#, pairs: "[]"))
    #expect(throws: FormatError.self) { try server.check(against: udp) }
  }

  @Test func invertsAllBits() throws {
    let server = try #require(try Self.read(Self.text).inverted)
    let exchange = try #require(server.connections.first?.exchanges.first)
    #expect(server.name.text == "PandoraRandom-05132024")
    #expect(exchange.answers[0].content == .payload([255, 0]))
    #expect(exchange.answers[1].content == .fill(count: 98, seed: 7))
    let client = try #require(
      try RecordingTests.read(RecordingTests.file([RecordingTests.tcp(length: "100")])).inverted)
    try server.check(against: client)
  }
}
