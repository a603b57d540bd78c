import Foundation
import LunaTesting
import Testing

/// `luna uplink profiles`, `record` and `consent`.
@Suite(.timeLimit(.minutes(10))) struct UplinkRecordingTests {
  private let luna: Luna

  init() throws { luna = try Luna() }

  private static let recording = """
    [[{"c_s_pair":"010.000.002.015.48080-208.085.042.032.00080","timestamp":"0.5","payload":"474554",\
    "response_len":1914340,"response_hash":null}],[],\
    ["010.000.002.015.48080-208.085.042.032.00080"],"Pandora-05132024"]
    """

  private static let list = """
    {"apps":[{"name":"Pandora","size":"14","time":20,"image":"x","datafile":"Pandora_05132024.pcap_client_all",\
    "randomdatafile":"PandoraRandom_05132024.pcap_client_all.json","category":"MUSIC"},\
    {"name":"\\u001b[31m=1","replayFile":"One_05132024"},\
    {"name":"Port 80","replayFile":"port80_05132024","appType":"SMALL_PORT"}],"port443small":"port443_05132024"}
    """

  @Test func listsWhatIsBuiltIn() async throws {
    let answer = try await luna.run(["uplink", "profiles"])
    #expect(answer.code == 0 && answer.errors.isEmpty)
    #expect(
      answer.lines.compactMap { $0["name"] as? String } == [
        "luna-upload", "luna-command", "https-generic", "luna-recorded",
      ])
    #expect(answer.lines.allSatisfy { $0["kind"] as? String == "builtIn" })
    let recorded = try #require(answer.lines.last?["original"] as? String)
    #expect(recorded.contains("whose file is named in place of this"))
    let unnamed = try await luna.run(["uplink", "check", "luna-recorded"])
    #expect(unnamed.code == 2 && unnamed.errors.contains("name the file of one"))
    let table = try await luna.run(["uplink", "profiles", "--format", "table"])
    #expect(table.output.hasPrefix("PROFILE"))
    #expect(table.output.split(separator: "\n").count == 5)
  }

  @Test func showsARecording() async throws {
    let path = try luna.file("Pandora_05132024.pcap_client_all.json", Self.recording)
    let answer = try await luna.run(["uplink", "profiles", path])
    #expect(answer.code == 0)
    let line = try #require(answer.lines.first)
    #expect(line["type"] as? String == "profile" && line["kind"] as? String == "recording")
    #expect(line["name"] as? String == "Pandora-05132024" && line["transport"] as? String == "tcp")
    #expect(line["packets"] as? Int == 1 && line["connections"] as? Int == 1)
    #expect(line["sentBytes"] as? Int == 3 && line["answeredBytes"] as? Int == 1_914_340)
    #expect(line["seconds"] as? Double == 0.5)
    let table = try await luna.run(
      ["uplink", "profiles", "-", "--format", "table"], input: Self.recording)
    #expect(
      table.output
        == "Pandora-05132024\n1 packet over TCP in 0.5 s: 0 MB up, 1.914 MB down\n")
  }

  @Test func listsApps() async throws {
    let path = try luna.file("app_list.json", Self.list)
    let answer = try await luna.run(["uplink", "profiles", path])
    #expect(answer.code == 0)
    #expect(answer.lines.compactMap { $0["kind"] as? String } == ["app", "app", "ports"])
    #expect(answer.lines[0]["control"] as? String == "PandoraRandom-05132024")
    #expect(answer.lines[0]["megabytes"] as? Double == 14)
    #expect(answer.lines[1]["control"] == nil && answer.lines[1]["seconds"] == nil)
    #expect(answer.lines[2]["control"] as? String == "port443-05132024")
    let table = try await luna.run(["uplink", "profiles", path, "--format", "table"])
    #expect(!table.output.contains("\u{1b}") && table.output.contains("all bits inverted"))
    let empty = try await luna.run(["uplink", "profiles", "-"], input: #"{"apps":[]}"#)
    #expect(empty.code == 0 && empty.output.isEmpty && empty.errors.contains("no apps"))
  }

  @Test(arguments: [
    "", "{}", "[]", "7", "\0", #"{"apps":7}"#, #"{"lunaRecording":1}"#,
    String(repeating: "[", count: 10_000), String(repeating: #"{"apps":["#, count: 10_000),
    recording.replacing("1914340", with: "9999999999"), recording.replacing("1914340", with: "-1"),
    recording.replacing("Pandora", with: "../x"), recording.replacing("474554", with: "47455"),
    list.replacing("One_05132024", with: "../../etc/passwd"),
    list.replacing("One_05132024", with: "a;b"), list.replacing("One_05132024", with: "a\\u0000"),
    list.replacing("port443small", with: "other"),
  ])
  func refusesBadFiles(_ text: String) async throws {
    let path = try luna.file("bad.json", text)
    let answer = try await luna.run(["uplink", "profiles", path, "--format", "jsonl"])
    #expect(answer.code == 8, "\(text.prefix(40)): \(answer.errors)")
    #expect(answer.lines.count == 1 && answer.lines.first?["type"] as? String == "error")
    #expect(answer.lines.first?["hint"] is String)
  }

  @Test func saysWhichPacketAndField() async throws {
    let text = Self.recording.replacing("\"0.5\"", with: "601")
    let answer = try await luna.run(["uplink", "profiles", "-"], input: text)
    #expect(answer.code == 8 && answer.errors.contains("packet 1, timestamp"))
  }

  @Test func neverReadsAPickle() async throws {
    let path = "\(luna.directory)/x.pickle"
    try Data([0x80, 0x02, 0x5D, 0x71, 0x00, 0x2E]).write(to: URL(filePath: path))
    let answer = try await luna.run(["uplink", "profiles", path])
    #expect(answer.code == 8 && answer.errors.contains("Python pickle"))
    #expect(try await luna.run(["uplink", "profiles", "/nowhere/a"]).code == 8)
  }

  @Test func asksForConsent() async throws {
    let none = try await luna.run(["uplink", "consent"])
    #expect(none.code == 4 && none.lines.first?["given"] as? Bool == false)
    let text = try await luna.run(["uplink", "consent", "--format", "table"])
    #expect(text.code == 4 && text.output.contains("made-up events"))
    let given = try await luna.run(["uplink", "consent", "--accept"])
    #expect(given.code == 0)
    let line = try #require(given.lines.first)
    #expect(line["given"] as? Bool == true && line["by"] as? String == "flag")
    #expect(line["version"] as? Int == 2 && line["time"] is String)
    #expect(line["sha256"] as? String == none.lines.first?["sha256"] as? String)
    #expect(try await luna.run(["uplink", "consent"]).output == given.output)
    let withdrawn = try await luna.run(["uplink", "consent", "--withdraw"])
    #expect(withdrawn.code == 0 && withdrawn.lines.first?["given"] as? Bool == false)
    #expect(try await luna.run(["uplink", "consent", "--withdraw"]).code == 0)
    #expect(try await luna.run(["uplink", "consent"]).code == 4)
    #expect(try await luna.run(["uplink", "consent", "--accept", "--withdraw"]).code == 2)
  }

  @Test func aConsentToAnotherTextIsNone() async throws {
    _ = try await luna.run(["uplink", "consent", "--accept"])
    let path = "\(luna.directory)/luna/uplink-consent.json"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    for other in [text.replacing("\"version\":2", with: "\"version\":1"), "", "{}", "\0"] {
      try other.write(toFile: path, atomically: true, encoding: .utf8)
      #expect(try await luna.run(["uplink", "consent"]).code == 4)
    }
  }

  @Test(arguments: [
    (["record", "../x", "--to", "https://127.0.0.1:1"], 2),
    (["record", "a;b", "--to", "https://127.0.0.1:1"], 2),
    (["record", "", "--to", "https://127.0.0.1:1"], 2),
    (["record", String(repeating: "a", count: 66), "--to", "https://127.0.0.1:1"], 2),
    (["record", "a", "--to", "http://127.0.0.1:1"], 2),
    (["record", "a", "--to", "https://127.0.0.1:0"], 2),
    (["record", "a", "--to", "https://127.0.0.1:1", "--proxy", "http://127.0.0.1:2"], 2),
    (["record", "a", "--to", "https://127.0.0.1:1", "--uploads", "0"], 2),
    (["record", "a", "--to", "https://127.0.0.1:1", "--directory", "/nowhere"], 7),
    (["record", "a"], 9),
  ])
  func refusesToRecord(_ words: [String], _ code: Int) async throws {
    _ = try await luna.run(["uplink", "consent", "--accept"])
    let answer = try await luna.run(["uplink"] + words)
    #expect(answer.code == Int32(code), "\(answer.errors)")
    #expect(answer.output.isEmpty)
  }

  @Test func recordsNothingWithoutConsent() async throws {
    let answer = try await luna.run(
      ["uplink", "record", "a", "--to", "https://127.0.0.1:1", "--directory", luna.directory])
    #expect(answer.code == 4 && answer.errors.contains("luna uplink consent --accept"))
  }

  @Test func saysWhenNobodyAnswers() async throws {
    _ = try await luna.run(["uplink", "consent", "--accept"])
    let closed = ClosedPort()
    let answer = try await luna.run(
      [
        "uplink", "record", "a", "--to", "https://127.0.0.1:\(closed.number)", "--directory",
        luna.directory,
      ])
    withExtendedLifetime(closed) {}
    #expect(answer.code == 9)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: luna.directory)
        .allSatisfy { !$0.contains("pcap") })
  }

  @Test(arguments: ["https_proxy", "HTTPS_PROXY", "all_proxy"])
  func saysThatTheProxyOfTheEnvironmentIsNotUsed(_ variable: String) async throws {
    _ = try await luna.run(["uplink", "consent", "--accept"])
    let words = [
      "uplink", "record", "a", "--to", "https://127.0.0.1:1", "--directory", luna.directory,
    ]
    let proxy = "http://127.0.0.1:2"
    let answer = try await luna.run(words, environment: [variable: proxy])
    #expect(answer.code == 9)
    #expect(answer.errors.contains("the proxy that \(variable) names is not used"))
    // Nobody is told what he has said himself, or what is not so.
    let others: [(more: [String], proxy: String)] = [(["--proxy", "-"], proxy), ([], "")]
    for other in others {
      let quiet = try await luna.run(words + other.more, environment: [variable: other.proxy])
      #expect(!quiet.errors.contains("is not used"), "\(quiet.errors)")
    }
  }

  /// A server for https that answers everything with 204, and writes its port on a line.
  private static let server = """
    import http.server, ssl, sys
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            refused = "Authorization" in self.headers
            self.send_response(401)
            self.send_header("Content-Length", "0")
            self.send_header("X-Token", str(refused))
            self.end_headers()
            open(sys.argv[3], "a").write(f"{refused}\\n")
        def log_message(self, *words): pass
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[1], sys.argv[2])
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    print(server.server_port, flush=True)
    server.serve_forever()
    """

  @Test func recordsUploads() async throws {
    let (certificate, key) = ("\(luna.directory)/cert", "\(luna.directory)/key")
    let made = try TestProgram.run([
      "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
      "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
      "-keyout", key, "-out", certificate,
    ])
    #expect(made.status == 0)
    let log = "\(luna.directory)/log"
    let script = try luna.file("server.py", Self.server)
    let server = try TestProgram(
      ["/usr/bin/python3", script, certificate, key, log], output: .pipe)
    defer { server.end() }
    var first: [UInt8] = []
    while first.last != UInt8(ascii: "\n"), let byte = try server.output?.read(upToCount: 1)?.first
    {
      first.append(byte)
    }
    let port = try #require(
      Int(String(decoding: first, as: UTF8.self).trimmingCharacters(in: .newlines)))
    _ = try await luna.run(["uplink", "consent", "--accept"])
    // There is a token of the backend, which is for nobody else.
    _ = try luna.file("luna/gateway.token", "luna-gateway-secret\n")
    let words = [
      "uplink", "record", "Luna", "--to", "https://localhost:\(port)", "--ca-file", certificate,
      "--uploads", "2", "--directory", luna.directory,
    ]
    let answer = try await luna.run(words)
    #expect(answer.code == 0, "\(answer.errors)")
    #expect(answer.errors.contains("recorded all the same"))
    #expect(try String(contentsOfFile: log, encoding: .utf8) == "False\nFalse\n")
    let line = try #require(answer.lines.first)
    let name = try #require(line["name"] as? String)
    #expect(name.wholeMatch(of: /Luna-\d{8}/) != nil)
    #expect(line["connections"] as? Int == 1)
    let files = try #require(line["files"] as? [String])
    #expect(files.count == 5)
    // Two batches of 100 events, compressed as they are sent.
    #expect(try #require(line["sentBytes"] as? Int) > 2 * 100 * 80)
    // The name of the server is in the handshake, and is not in the control's.
    let localhost = Data("localhost".utf8).map { String(format: "%02x", $0) }.joined()
    let texts = try files.map { try String(contentsOfFile: $0, encoding: .utf8) }
    #expect(texts[0].contains(localhost) && !texts[1].contains(localhost))
    #expect(texts[2].hasPrefix(#"{"lunaRecording":1,"#))
    for (file, kind) in [(files[0], "recording"), (files[1], "recording"), (files[4], "app")] {
      let shown = try await luna.run(["uplink", "profiles", file])
      #expect(shown.code == 0 && shown.lines.first?["kind"] as? String == kind)
    }
    // They are there now.
    #expect(try await luna.run(words).code == 2)
    #expect(try await luna.run(words + ["--force"]).code == 0)
    // The backend's own refusal is one.
    var backend = words
    backend[3] = "--backend"
    let refused = try await luna.run(backend + ["--force"])
    #expect(refused.code == 9)
    #expect(try String(contentsOfFile: log, encoding: .utf8).hasSuffix("True\n"))
  }
}
