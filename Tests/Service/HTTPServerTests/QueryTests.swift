import HTTPServer
import Testing

@Suite struct QueryTests {
  @Test func isDecoded() {
    let head = HTTPHead(method: "GET", target: "/x?q=a%20b+c%C3%A4&empty=&bare&q=2&bad=%zz%e")
    let parameters = head.queryParameters
    #expect(parameters.map(\.name) == ["q", "empty", "bare", "q", "bad"])
    #expect(parameters.map(\.value) == ["a b cä", "", "", "2", "%zz%e"])
    #expect(HTTPHead(method: "GET", target: "/x").queryParameters.isEmpty)
  }
}
