import Testing
import UplinkProtocol

struct ReplayMapTests {
  static let text =
    #"{"tcp": {"": {"00000": ["", 32949]}, "208.085.042.032": {"00080": ["", 80]}}, "udp": {}}"#

  private func map(_ text: String, at address: String = "192.0.2.1") throws -> ReplayMap {
    let recording = try RecordingTests.read(RecordingTests.file([RecordingTests.tcp()]))
    return try ReplayMap(Array(text.utf8), for: recording, at: address)
  }

  private var end: RecordedEndpoint? { RecordedEndpoint("208.085.042.032.00080") }

  @Test func findsThePort() throws {
    #expect(try map(Self.text).port(for: try #require(end)) == 80)
    let named = Self.text.replacing("[\"\", 80]", with: "[\"192.0.2.1\", \"80\"]")
    #expect(try map(named).port(for: try #require(end)) == 80)
    let other = try #require(RecordedEndpoint("208.085.042.032.00081"))
    #expect(try map(Self.text).port(for: other) == nil)
  }

  @Test(arguments: [
    ("another host", #"["", 80]"#, #"["203.0.113.9", 80]"#),
    // What is not used is looked at too: such a server is not to be trusted.
    ("another host", #"["", 32949]"#, #"["localhost", 32949]"#),
    ("leads to 22", #"["", 80]"#, #"["", 22]"#), ("not in the map", "00080", "00081"),
    ("not in the map", #""tcp""#, #""x""#), ("[host, port]", #"["", 80]"#, #"["", 0.5]"#),
    ("[host, port]", #"["", 80]"#, #"["", 65536]"#), ("[host, port]", #"["", 80]"#, #"["", -1]"#),
    ("[host, port]", #"["", 80]"#, #"[80]"#), ("[host, port]", #"["", 80]"#, #"{}"#),
    ("an object", #"{"00080": ["", 80]}"#, "[]"), ("an object", #""udp": {}"#, #""udp": 7"#),
  ])
  func saysWhatIsWrong(_ problem: String, _ old: String, _ new: String) throws {
    let error = #expect(throws: ReplayError.self) {
      try map(Self.text.replacing(old, with: new))
    }
    #expect(error?.kind == .malformed)
    #expect("\(try #require(error))".contains(problem), "\(error.debugDescription)")
  }

  @Test(arguments: ["", "[]", "\0", "{", #"{"tcp":{},"tcp":{}}"#, "null"])
  func refuses(_ text: String) {
    #expect(throws: ReplayError.self) { try map(text) }
  }

  @Test func refusesDepthAndLength() {
    #expect(throws: ReplayError.self) { try map(String(repeating: "[", count: 10_000)) }
    #expect(throws: ReplayError.self) {
      try map(String(repeating: #"{"tcp":"#, count: 10_000))
    }
    #expect(throws: ReplayError.self) { try map(String(repeating: " ", count: 1 << 20) + "{}") }
  }
}
