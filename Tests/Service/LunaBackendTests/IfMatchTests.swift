import HTTPServer
import LunaFleet
import LunaJSON
import Testing

@testable import LunaBackend

/// Of which revision an edit is that says it in `If-Match` (RFC 9110, 13.1.1).
@Suite struct IfMatchTests {
  private func revision(_ tag: String?, _ fields: JSONObject = ["note": "n"]) throws -> Int64? {
    let head = HTTPHead(
      method: "PATCH", target: "/v1/gateways/0011223344556677",
      headers: tag.map { [HTTPHeader("If-Match".utf8, $0.utf8)] } ?? [])
    let (endpoint, parameters) = try API.endpoint(for: head)
    let call = APICall(
      request: HTTPRequest(id: "1", head: head, client: ClientAddress([127, 0, 0, 1]), body: []),
      endpoint: endpoint, caller: nil, parameters: parameters, time: Samples.now, began: .now)
    return try call.revision(of: RecordEdit(.gateway, json: fields))
  }

  @Test(
    arguments: [
      ("\"3\"", 3), ("\"x\", W/\"9\" ,\"3\",\"2\"", 3), ("3", 3), ("*", nil),
    ] as [(String, Int64?)])
  func theNewestOfAListCounts(tag: String, number: Int64?) throws {
    #expect(try revision(tag) == number)
  }

  @Test(arguments: ["W/\"3\"", "\"x\"", "", "\"-1\"", "W/\"1\", W/\"2\""])
  func whatIsNoRevisionNeverMatches(tag: String) {
    #expect {
      _ = try revision(tag)
    } throws: { ($0 as? ProblemDocument)?.status == 412 }
  }

  @Test func theBodyComesFirstAndOneIsNeeded() throws {
    #expect(try revision("\"3\"", ["revision": 2, "note": "n"]) == 2)
    #expect {
      _ = try revision(nil)
    } throws: { ($0 as? ProblemDocument)?.status == 428 }
  }
}
