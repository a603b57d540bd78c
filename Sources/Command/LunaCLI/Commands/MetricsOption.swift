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

  /// Serves the page; nil when nobody asked for it.
  func serve(
    _ diagnostics: Diagnostics, _ page: @escaping @Sendable () -> MetricsText
  ) async throws(CommandFailure) -> MetricsServer? {
    guard let address else { return nil }
    let server = MetricsServer(page)
    do throws(ServerError) {
      diagnostics.note("luna: numbers are at http://\(try await server.start(on: address))/metrics")
    } catch {
      throw CommandFailure(ExitCode(error.kind), error)
    }
    return server
  }
}
