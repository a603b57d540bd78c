import CommandSpec
import HTTPServer
import Prometheus

/// `--metrics`: a page of numbers for Prometheus.
struct MetricsOption: Sendable {
  var address: ListenAddress?

  static var group: OptionGroup<MetricsOption> {
    OptionGroup(
      "Numbers",
      [
        .value(
          "metrics", "[ADDRESS:]PORT", "Serve numbers for Prometheus at /metrics", \.address, reader
        ).defaulting(to: "not; of this machine only, where no ADDRESS is given")
      ])
  }

  private static var reader: ValueReader<ListenAddress?> {
    ValueReader(expects: "[ADDRESS:]PORT") { text throws(ValueProblem) in
      let isPort = text.allSatisfy { $0.isASCII && $0.isNumber }
      guard let address = ListenAddress(isPort ? "127.0.0.1:\(text)" : text) else {
        throw ValueProblem("is no address and port")
      }
      return address
    }
  }

  /// Does `body`, and serves the page meanwhile where that was asked for. However `body` ends, the port is free
  /// again then: a service that begins anew may take it.
  func serving<Result>(
    _ diagnostics: Diagnostics, _ page: @escaping @Sendable () -> MetricsText,
    while body: () async throws -> Result
  ) async throws -> Result {
    guard let address else { return try await body() }
    let server = MetricsServer(page)
    do throws(ServerError) {
      diagnostics.note("luna: numbers are at http://\(try await server.start(on: address))/metrics")
    } catch {
      throw CommandFailure(ExitCode(error.kind), error)
    }
    do {
      let result = try await body()
      await server.stop()
      return result
    } catch {
      await server.stop()
      throw error
    }
  }
}
