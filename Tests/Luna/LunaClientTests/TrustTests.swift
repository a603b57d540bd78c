import Bluetooth
import CCurl
import Diagnosis
import Glibc
import HTTPServer
import LunaBackend
import LunaCore
import LunaCrypto
import LunaTesting
import SafeText
import Testing

@testable import LunaClient

/// https, proxies and credentials.
@Suite(.timeLimit(.minutes(10))) struct TrustTests {
  @Test func trustsWhomItIsToldToTrust() async throws {
    let folder = TestFolder()
    let (key, certificate) = (folder.path + "/key", folder.path + "/cert")
    let made = try TestProgram.run([
      "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
      "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
      "-keyout", key, "-out", certificate,
    ])
    try #require(made.status == 0, "\(made.errors)")
    let storage = try SQLiteStorage(path: folder.path + "/db")
    try await storage.migrate()
    var served = BackendConfiguration()
    served.listen = ListenAddress(host: "127.0.0.1", port: 0)
    served.tls = try TLSFiles(certificateFile: certificate, keyFile: key)
    let server = BackendServer(served, storage: storage)
    let port = try await server.start().port
    func failure(_ host: String, trusting file: String?) async throws -> BackendError? {
      var configuration = ClientConfiguration(url: "https://\(host):\(port)")
      configuration.certificateAuthorities = file
      configuration.proxy = "-"
      let client = try BackendClient(configuration, token: .none)
      do throws(BackendError) {
        _ = try await client.enrol(code: "00")
        return nil
      } catch {
        return error
      }
    }
    // Through to the answer, which refuses the code.
    #expect(try await failure("localhost", trusting: certificate)?.status == 403)
    #expect(try await failure("localhost", trusting: nil)?.kind == .untrusted)
    #expect(try await failure("127.0.0.1", trusting: certificate)?.kind == .untrusted)
    #expect(try await failure("localhost", trusting: key)?.kind == .untrusted)
    await server.stop()
  }

  @Test(arguments: [
    ("OpenSSL/3.0.19: error:0A00010B:SSL routines::wrong version number", "http://"),
    ("SSL certificate problem: self-signed certificate", "certificate authority"),
  ])
  func saysWhetherTLSIsSpokenThere(_ problem: String, _ remedy: String) {
    for outcome in [ccurl_not_trusted, ccurl_no_handshake] {
      let answer = HTTPExchange.Answer(
        outcome: outcome, status: 0, retryAfter: nil, date: nil, mediaType: "",
        location: "", headers: [], body: [], problem: ForeignText(problem))
      let error = BackendError(answer, from: "https://127.0.0.1:8080")
      #expect(error.kind == .untrusted)
      #expect(error.remedy.map { "\($0)" }?.contains(remedy) == true)
    }
  }

  @Test func asksThroughAProxy() async throws {
    let proxy = ScriptedServer([Answers.problem(403)])
    var configuration = ClientConfiguration(url: "http://luna.example/base")
    configuration.allowsInsecure = true
    configuration.proxy = proxy.url
    let client = try BackendClient(configuration, token: .none)
    await #expect {
      try await client.status(of: "ab")
    } throws: { ($0 as? BackendError)?.status == 403 }
    #expect(
      proxy.requests.first?.hasPrefix("GET http://luna.example/base/v1/commands/ab HTTP/1.1\r\n")
        == true)
  }

  @Test(arguments: [
    ("http://127.0.0.1:8080", "", "-"), ("http://localhost", "", "-"),
    ("http://127.0.0.1", "http://a:1", "http://a:1"), ("https://127.0.0.1", "", ""),
    ("https://luna.example", "", ""), ("https://luna.example", "-", "-"),
  ])
  func theEnvironmentNamesNoProxyToThisMachine(url: String, wanted: String, used: String) throws {
    let url = try BackendURL(url, allowsInsecure: false)
    #expect(BackendClient.proxy(wanted, to: url) == used)
  }

  @Test func readsACredentialOfSystemd() throws {
    let folder = TestFolder()
    let descriptor = open(folder.path + "/luna.token", O_WRONLY | O_CREAT, 0o600)
    _ = write(descriptor, "hidden\n", 7)
    close(descriptor)
    let source = TokenSource.credential("luna.token")
    #expect {
      _ = try source.header(credentials: nil)
    } throws: { ($0 as? BackendError)?.kind == .local }
    #expect {
      _ = try source.header(credentials: folder.path + "/none")
    } throws: { ($0 as? BackendError)?.kind == .local }
    let header = try #require(try source.header(credentials: folder.path))
    #expect(header.withBytes { $0.count } == "Authorization: Bearer hidden".utf8.count + 1)
  }
}
