import HTTPServer
import LunaClient
import LunaJSON
import LunaStore
import Synchronization

@testable import LunaAccount

/// An issuer on loopback, whose token endpoint says what the test says.
final class ScriptedIssuer: Sendable {
  typealias Answer = @Sendable (_ form: [String: String]) async -> HTTPResponse

  private struct State {
    var answer: Answer = { _ in HTTPResponse(500, nil, []) }
    var metadata: [String: JSONValue] = [:]
    var forms: [(path: String, form: [String: String])] = []
    var heads: [HTTPHead] = []
  }

  private let state = Mutex(State())
  private let listener = Mutex<HTTPListener?>(nil)
  private let address = Mutex("")
  private let port = Mutex<UInt16>(0)
  private let taken = Mutex<TakenPort?>(nil)

  init() async throws {
    let listener = HTTPListener { [weak self] request in
      await self?.respond(request) ?? HTTPResponse(500, nil, [])
    }
    let place = try listener.start(on: ListenAddress(host: "127.0.0.1", port: 0))
    address.withLock { $0 = "http://\(place)" }
    port.withLock { $0 = place.port }
    self.listener.withLock { $0 = listener }
  }

  var url: String { address.withLock { $0 } }

  /// The forms that were sent to a path.
  func forms(_ path: String = "/token") -> [[String: String]] {
    state.withLock { $0.forms.filter { $0.path == path }.map(\.form) }
  }

  /// The heads of requests for other paths.
  var heads: [HTTPHead] { state.withLock { $0.heads } }

  /// From now on the endpoints answer this.
  func answer(_ answer: @escaping Answer) { state.withLock { $0.answer = answer } }

  /// Adds to what it says of itself, or leaves something out.
  func say(_ name: String, _ value: JSONValue) { state.withLock { $0.metadata[name] = value } }

  /// Always this.
  func answer(_ status: Int, _ body: String, headers: [(String, String)] = []) {
    answer { _ in
      var response = HTTPResponse(status, "application/json", Array(body.utf8))
      for header in headers { response.headers.append((name: header.0, value: header.1)) }
      return response
    }
  }

  /// Ends it. From then on nobody answers at its address, also no server of another test.
  func stop() async {
    let listener = listener.withLock { $0 }
    _ = await listener?.stop(within: .seconds(5))
    let port = port.withLock { $0 }
    taken.withLock { $0 = TakenPort(port) }
  }

  private func respond(_ request: HTTPRequest) async -> HTTPResponse {
    let path = String(request.head.path)
    switch path {
    case "/.well-known/openid-configuration":
      var object: JSONObject = [
        "issuer": .string(url), "token_endpoint": .string(url + "/token"),
        "authorization_endpoint": .string(url + "/authorize"),
        "device_authorization_endpoint": .string(url + "/device"),
        "revocation_endpoint": .string(url + "/revoke"),
      ]
      for (name, value) in state.withLock({ $0.metadata }) { object.append(name, value) }
      return HTTPResponse(200, json: .object(object))
    case "/token", "/device", "/revoke":
      let form = FormText.fields(of: String(decoding: request.body, as: UTF8.self))
      let answer = state.withLock { state in
        state.forms.append((path, form))
        return state.answer
      }
      return await answer(form)
    case "/.well-known/oauth-authorization-server", "/.well-known/oauth-protected-resource":
      return HTTPResponse(404, nil, [])
    default:
      let answer = state.withLock { state in
        state.heads.append(request.head)
        return state.answer
      }
      return await answer(["path": path, "method": request.head.method])
    }
  }

  /// An account that is signed in here, or a new one.
  func account(
    _ state: TemporaryState, _ clock: HandClock, _ credential: Credential?,
    adjust: (inout AccountConfiguration) -> Void = { _ in },
    loginHandler: @escaping @Sendable (Bool) async -> Void = { _ in }
  ) throws -> LunaAccount {
    var configuration = AccountConfiguration()
    configuration.issuer = url
    configuration.state = state.directory
    configuration.clock = clock.clock
    configuration.client.totalTimeout = .seconds(90)
    configuration.hasDisplay = false
    adjust(&configuration)
    let file = try CredentialFile(state: state.directory, profile: configuration.profile)
    if var credential {
      credential.issuer = url
      try file.prepare()
      try file.write(credential)
    }
    return LunaAccount(clientID: "luna", configuration, loginHandler: loginHandler)
  }
}
