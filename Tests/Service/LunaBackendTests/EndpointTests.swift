import HTTPServer
import LunaCore
import LunaJSON
import Testing
import WebAccess

@testable import LunaBackend

@Suite struct EndpointTests {
  private func find(_ method: String, _ path: String) throws(ProblemDocument) -> (String, String) {
    let head = HTTPHead(method: method, target: path, version: "HTTP/1.1", headers: [])
    let (endpoint, parameters) = try API.endpoint(for: head)
    return (endpoint.operation, parameters.values.sorted().joined(separator: " "))
  }

  @Test func findsByMethodAndPath() throws {
    #expect(try find("POST", "/trackerEvent") == ("uploadEvents", ""))
    #expect(try find("GET", "/v1/commands/abc") == ("getCommand", "abc"))
    #expect(try find("DELETE", "/v1/commands/abc?x=y") == ("cancelCommand", "abc"))
    // What is literal comes before a parameter.
    #expect(try find("GET", "/v1/gateways/map") == ("mapGateways", ""))
    #expect(try find("GET", "/v1/gateways/00ff") == ("getGateway", "00ff"))
    #expect(try find("PATCH", "/v1/gateways/00/devices/11") == ("editDevice", "00 11"))
    for path in ["/", "/trackerEvent/", "/v1/commands/", "/v1/commands/a/b", "/V1/commands"] {
      #expect(throws: ProblemDocument.self) { try find("POST", path) }
    }
    // HEAD is answered as GET is (RFC 9110, 9.1), and nothing else.
    #expect(try find("HEAD", "/v1/commands/abc") == ("getCommand", "abc"))
    #expect(throws: ProblemDocument.self) { try find("HEAD", "/trackerEvent") }
    #expect {
      _ = try find("PUT", "/trackerEvent")
    } throws: { ($0 as? ProblemDocument)?.status == 405 }
    #expect {
      _ = try find("GET", "/nothing")
    } throws: { ($0 as? ProblemDocument)?.status == 404 }
  }

  @Test func describesEveryEndpointAndSchema() throws {
    guard case .object(let document) = try JSONReader.read(OpenAPI.document),
      case .object(let paths)? = document["paths"],
      case .object(let components)? = document["components"],
      case .object(let schemas)? = components["schemas"]
    else {
      Issue.record("the document has another form")
      return
    }
    for endpoint in API.endpoints {
      guard case .object(let operations)? = paths[endpoint.path],
        case .object(let operation)? = operations[endpoint.method.lowercased()]
      else {
        Issue.record("\(endpoint.operation) is missing")
        continue
      }
      #expect(operation["operationId"] == .string(endpoint.operation))
      // Where an ETag can be named, it is said how.
      var names: [JSONValue] = []
      if case .array(let parameters)? = operation["parameters"] {
        names = parameters.compactMap { if case .object(let one) = $0 { one["name"] } else { nil } }
      }
      let isTagged = endpoint.problems.contains { $0.status == 412 }
      #expect(names.contains(.string("If-Match")) == isTagged, "\(endpoint.operation)")
    }
    // Every reference leads somewhere.
    let text = String(decoding: OpenAPI.document, as: UTF8.self)
    for part in text.split(separator: "#/components/schemas/").dropFirst() {
      let name = part.prefix { $0 != "\"" }
      #expect(schemas[String(name)] != nil, "\(name)")
    }
  }

  /// OpenAPI 3.1, 4.8.10: programs that are made of the document call what they have by these names.
  @Test func everyOperationHasANameOfItsOwn() {
    let names = API.endpoints.map(\.operation)
    let twice = Set(names).filter { name in names.filter { $0 == name }.count > 1 }
    #expect(twice.isEmpty)
  }

  @Test func onlyOperationEnrolmentAndSigningInAreOpen() {
    let open = API.endpoints.filter { $0.access == .open }.map(\.operation)
    #expect(
      Set(open) == [
        "enrolGateway", "health", "readiness", "description", "protectedResource",
        "authorizationServer", "authorizeDevice", "issueToken", "revokeGrant", "signIn",
        "signInCode", "getSession", "signOut", "setUp", "acceptInvitation",
        "startForeignSignIn", "foreignSignIn",
      ])
  }
}
