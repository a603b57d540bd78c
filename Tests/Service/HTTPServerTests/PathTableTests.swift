import Testing

@testable import HTTPServer

@Suite("Paths with parameters")
struct PathTableTests {
  private var table: PathTable<Int> {
    var table = PathTable<Int>()
    table.add("GET", "/v1/gateways/{id}", 1)
    table.add("GET", "/v1/gateways/map", 2)
    table.add("DELETE", "/v1/gateways/{id}", 3)
    table.add("PATCH", "/v1/gateways/{id}/devices/{ref}", 4)
    table.add("GET", "/", 5)
    table.add("POST", "/v1/gateways/import", 6)
    return table
  }

  private func found(_ method: String, _ path: String) -> (Int, [String: String])? {
    if case .found(let value, let parameters) = table.find(method, path) {
      (value, parameters)
    } else {
      nil
    }
  }

  @Test("A literal comes before a parameter, whatever came first")
  func literals() {
    #expect(found("GET", "/v1/gateways/map")?.0 == 2)
    #expect(found("GET", "/v1/gateways/mapx")?.0 == 1)
    #expect(found("HEAD", "/v1/gateways/map")?.0 == 2)
    #expect(found("GET", "/")?.0 == 5)
  }

  @Test("Parameters are decoded, and no part of a path is made of them")
  func parameters() {
    let finding = found("PATCH", "/v1/gateways/a%20b/devices/%C3%A9")
    #expect(finding?.0 == 4)
    #expect(finding?.1 == ["id": "a b", "ref": "é"])
    for path in [
      "/v1/gateways/", "/v1/gateways/a/", "/v1/gateways/a%2Fb", "/v1/gateways/%2E%2e",
      "/v1/gateways/..", "/v1/gateways/%00", "/v1/gateways/%", "/v1/gateways/%4",
      "/v1/gateways/%zz",
      "/v1/gateways/%ff", "/v1/gateways/%+1", "v1/gateways/a", "//v1/gateways/a", "",
    ] {
      #expect(found("GET", path) == nil, "\(path)")
    }
  }

  @Test("A path that is there for others is told from one that is not")
  func methods() {
    guard case .otherMethods(let methods) = table.find("PUT", "/v1/gateways/a") else {
      Issue.record("not told")
      return
    }
    #expect(methods == ["GET", "HEAD", "DELETE"])
    guard case .nothing = table.find("GET", "/v2") else {
      Issue.record("found")
      return
    }
    // The literal path does not lend its parameter's methods.
    guard case .otherMethods(["POST"]) = table.find("DELETE", "/v1/gateways/import") else {
      Issue.record("another path's method")
      return
    }
  }
}
