import HTTPServer
import Testing

@testable import Prometheus

@Suite struct MetricsTests {
  @Test func writesTheFormat() {
    var metrics = MetricsText()
    metrics.counter("luna_packets_total", "Packets.", [(labels: [], value: 1e9)])
    metrics.gauge(
      "luna_rssi", "Signal.",
      [
        (labels: [("name", "a\"b\\c\nd\u{1B}")], value: -60.5),
        (labels: [("name", "x"), ("id", "1")], value: 0),
      ])
    #expect(
      metrics.text == """
        # HELP luna_packets_total Packets.
        # TYPE luna_packets_total counter
        luna_packets_total 1000000000
        # HELP luna_rssi Signal.
        # TYPE luna_rssi gauge
        luna_rssi{name="a\\"b\\\\c\\nd"} -60.5
        luna_rssi{name="x",id="1"} 0

        """)
  }

  @Test(arguments: [
    ("GET", "/metrics", 200), ("HEAD", "/metrics?x", 200), ("POST", "/metrics", 405),
    ("GET", "/", 404), ("GET", "/metrics/x", 404),
  ])
  func answersForThePageAlone(method: String, target: String, status: Int) {
    let head = HTTPHead(method: method, target: target, version: "HTTP/1.1", headers: [])
    var metrics = MetricsText()
    metrics.gauge("up", "Up.", [(labels: [], value: 1)])
    let response = MetricsServer.answer(head) { metrics }
    #expect(response.status == status)
    let isPage = response.body == Array("# HELP up Up.\n# TYPE up gauge\nup 1\n".utf8)
    #expect(isPage == (status == 200))
  }

  @Test(.timeLimit(.minutes(10))) func startsAndEnds() async throws {
    let server = MetricsServer { MetricsText() }
    let address = try await server.start(on: ListenAddress(host: "127.0.0.1", port: 0))
    #expect(address.port != 0)
    await server.stop()
  }
}
