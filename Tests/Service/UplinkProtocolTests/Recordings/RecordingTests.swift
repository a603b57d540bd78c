import Diagnosis
import LunaJSON
import Testing
import UplinkProtocol

struct RecordingTests {
  static let pair = "010.000.002.015.48080-208.085.042.032.00080"

  static func tcp(
    _ payload: String = #""47455420""#, pair: String = pair, timestamp: String = "0.5",
    length: String = "1914340", hash: String = "null"
  ) -> String {
    #"{"c_s_pair":"\#(pair)","timestamp":\#(timestamp),"payload":\#(payload),"#
      + #""response_len":\#(length),"response_hash":\#(hash)}"#
  }

  static func udp(_ payload: String = #""00ff""#, end: String = "false") -> String {
    #"{"c_s_pair":"\#(pair)","timestamp":0.25,"payload":\#(payload),"end":\#(end)}"#
  }

  static func file(
    _ packets: [String], ports: String = "[]", pairs: String = "[\"\(pair)\"]",
    name: String = "Pandora-05132024"
  ) -> String {
    "[[\(packets.joined(separator: ","))],\(ports),\(pairs),\"\(name)\"]"
  }

  static func read(_ text: String) throws(RecordingError) -> Recording {
    try Recording(Array(text.utf8))
  }

  private func problem(_ text: String) throws -> String {
    let error = #expect(throws: RecordingError.self) { try Self.read(text) }
    return try #require(error).description
  }

  @Test func readsTCP() throws {
    let hash = #""DA39A3EE5E6B4B0D3255BFEF95601890AFD80709""#
    let recording = try Self.read(
      Self.file([Self.tcp(), Self.tcp("\"\"", timestamp: "600", length: "0", hash: hash)]))
    #expect(recording.name.text == "Pandora-05132024")
    guard case .tcp(let requests) = recording.packets else {
      Issue.record("not TCP")
      return
    }
    #expect(requests[0].payload == Array("GET ".utf8) && requests[0].time == 0.5)
    #expect(requests[0].answerLength == 1_914_340 && requests[0].answerHash == nil)
    #expect(requests[1].answerHash?.first == 0xDA && requests[1].payload.isEmpty)
    #expect(recording.sentBytes == 4 && recording.answeredBytes == 1_914_340)
    #expect(recording.seconds == 600)
  }

  @Test func readsUDP() throws {
    let text = Self.file([Self.udp(), Self.udp(end: "true")], ports: #"["48080"]"#, pairs: "[]")
    let recording = try Self.read(text)
    guard case .udp(let datagrams) = recording.packets else {
      Issue.record("not UDP")
      return
    }
    #expect(datagrams.map(\.isLast) == [false, true] && datagrams[0].payload == [0, 255])
    #expect(recording.ports == [48080] && recording.answeredBytes == nil)
    #expect(recording.sentBytes == 4 && recording.seconds == 0.25)
  }

  @Test func takesNumbersAsTextAndBlanks() throws {
    let recording = try Self.read(
      Self.file(
        [Self.tcp("\" 00 \"", pair: " \(Self.pair)\\n", timestamp: "\" 1.5 \"", length: "\"14 \"")],
        ports: "[80]", name: " a "))
    #expect(recording.answeredBytes == 14 && recording.seconds == 1.5)
    #expect(recording.name.text == "a" && recording.ports == [80])
    #expect(try Self.read(Self.file([Self.tcp(length: "14.0")])).answeredBytes == 14)
  }

  @Test func writesWhatItReads() throws {
    for text in [
      Self.file([Self.tcp(), Self.tcp(hash: "\"\(String(repeating: "ab", count: 20))\"")]),
      Self.file([Self.udp()], ports: #"["48080"]"#, pairs: "[]"),
    ] {
      let recording = try Self.read(text)
      #expect(recording.json.description == text)
      #expect(try Recording(recording.json.bytes) == recording)
    }
    // Five digits, as in pairs: so clients find the one in the other.
    let port = try Self.read(Self.file([Self.tcp()], ports: "[\"80\"]"))
    #expect(port.json.description.contains(#"["00080"]"#))
  }

  @Test func invertsAllBits() throws {
    let hash = "\"\(String(repeating: "ab", count: 20))\""
    let recording = try Self.read(Self.file([Self.tcp("\"00ff47\"", hash: hash)]))
    let control = try #require(recording.inverted)
    guard case .tcp(let requests) = control.packets else {
      Issue.record("not TCP")
      return
    }
    #expect(requests[0].payload == [255, 0, 0xB8])
    // The answer to it is another one.
    #expect(requests[0].answerHash == nil && requests[0].answerLength == 1_914_340)
    #expect(requests[0].time == 0.5 && control.pairs == recording.pairs)
    #expect(control.name.text == "PandoraRandom-05132024")
    let udp = try Self.read(Self.file([Self.udp()], ports: #"["48080"]"#, pairs: "[]"))
    guard case .udp(let datagrams)? = udp.inverted?.packets else {
      Issue.record("not UDP")
      return
    }
    #expect(datagrams[0].payload == [255, 0])
    let long = try Self.read(Self.file([Self.tcp()], name: String(repeating: "a", count: 80)))
    #expect(long.inverted == nil)
  }

  @Test(arguments: [
    ("payload", tcp("\"0\"")), ("payload", tcp("\"zz\"")), ("payload", tcp("1")),
    ("payload", tcp("null")), ("timestamp", tcp(timestamp: "-1")),
    ("timestamp", tcp(timestamp: "600.1")), ("timestamp", tcp(timestamp: "\"nan\"")),
    ("timestamp", tcp(timestamp: "\"0x1p3\"")),
    ("timestamp", tcp(timestamp: "\"\"")), ("response_len", tcp(length: "-1")),
    ("response_len", tcp(length: "9999999999")), ("response_len", tcp(length: "1073741825")),
    ("response_len", tcp(length: "1.5")), ("response_len", tcp(length: "1e300")),
    ("response_len", tcp(length: "\"99999999999999999999\"")),
    ("response_hash", tcp(hash: "\"00\"")), ("response_hash", tcp(hash: "7")),
    ("c_s_pair", tcp(pair: "../x")), ("c_s_pair", tcp(pair: "\\u0000;")),
    ("c_s_pair", tcp(pair: "010.000.002.015.48081-208.085.042.032.00080")),
    ("response_len", udp()),
  ])
  func saysWhichPacketAndField(_ field: String, _ packet: String) throws {
    let text = try problem(Self.file([Self.tcp(), packet]))
    #expect(text.hasPrefix("packet 2, ") && text.contains(field), "\(text)")
  }

  @Test func saysWhatIsWrongWithDatagrams() throws {
    func problem(_ second: String, ports: String = #"["48080"]"#) throws -> String {
      try self.problem(Self.file([Self.udp(), second], ports: ports, pairs: "[]"))
    }
    #expect(try problem(Self.udp(end: "1")).hasPrefix("packet 2, end"))
    #expect(
      try problem(Self.udp("\"\(String(repeating: "00", count: 65_508))\"")).contains("65507"))
    #expect(try problem(Self.tcp()).hasPrefix("packet 2, end"))
    #expect(try problem(Self.udp(), ports: #"["48081"]"#).hasPrefix("packet 1, c_s_pair"))
  }

  @Test(arguments: [
    "", "{}", "[]", "7", "\0", "[[],[],[]]", file([tcp(timestamp: "1e999")]), file([]), file(["7"]),
    file(["{}"]),
    file([tcp()], ports: "[0]"), file([tcp()], ports: "[65536]"), file([tcp()], ports: "[-1]"),
    file([tcp()], ports: "7"), file([tcp()], pairs: "[\"x\"]"), file([tcp()], pairs: "[7]"),
    file([tcp()], pairs: "[]"), file([tcp()], name: "../x"), file([tcp()], name: "a;b"),
    file([tcp()], name: "a\\u0000"), file([tcp()], name: ""),
    file([tcp()], ports: "[\([String](repeating: "1", count: 17).joined(separator: ","))]"),
    file([tcp()]) + "\0",
    file([tcp()]).replacing("\"payload\"", with: "\"payload\":\"\",\"payload\""),
  ])
  func refuses(_ text: String) {
    #expect(throws: RecordingError.self) { try Self.read(text) }
  }

  @Test func keepsToItsLimits() throws {
    let limit = String(repeating: "00", count: 1 << 20)
    #expect(try Self.read(Self.file([Self.tcp("\"\(limit)\"")])).sentBytes == 1 << 20)
    #expect(try problem(Self.file([Self.tcp("\"\(limit)00\"")])).contains("1048576 bytes"))
    let blanks = [UInt8](repeating: 0x20, count: RecordingLimits.file + 1)
    #expect(throws: RecordingError.tooLarge) { try Recording(blanks) }
    // More packets than there may be; what they are does not matter any more.
    let many = [String](repeating: "0", count: RecordingLimits.packets + 1)
    guard
      case .json(let error)? = #expect(
        throws: RecordingError.self,
        performing: {
          try Self.read(Self.file(many))
        })
    else {
      Issue.record("packets were read")
      return
    }
    #expect(error.kind == .tooManyElements)
  }

  @Test(arguments: [17, 10_000, 1_000_000])
  func refusesDepth(_ depth: Int) {
    for open in ["[", #"{"apps":"#, #"{"tcp":"#] {
      let bytes = Array(String(repeating: open, count: depth).utf8)
      #expect(throws: RecordingError.self) { try Recording(bytes) }
      #expect(throws: RecordingError.self) { try AppList(bytes) }
      #expect(throws: RecordingError.self) { try ServerRecording(bytes) }
      #expect(throws: RecordingError.self) { try ProfileFile(bytes) }
    }
  }

  /// Bytes that are changed, cut and repeated end in an error or a recording, never in a trap.
  @Test func survivesMutations() throws {
    let whole = [
      Self.file([Self.tcp(), Self.tcp()]),
      Self.file([Self.udp()], ports: #"["48080"]"#, pairs: "[]"), ServerRecordingTests.text,
      AppListTests.text,
    ].map { Array($0.utf8) }
    var generator = SplitMix64(seed: 1)
    for round in 0..<4_000 {
      var bytes = whole[round % whole.count]
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        case 2: bytes.remove(at: place)
        default: bytes.insert(contentsOf: Array("99999".utf8), at: place)
        }
      }
      if let recording = try? Recording(bytes) {
        #expect(try Recording(recording.json.bytes) == recording)
        _ = ServerRecording(filling: recording)
      }
      if let server = try? ServerRecording(bytes) {
        #expect(try ServerRecording(server.json.bytes) == server)
      }
      if let list = try? AppList(bytes) { #expect(try AppList(list.json.bytes) == list) }
    }
  }
}
