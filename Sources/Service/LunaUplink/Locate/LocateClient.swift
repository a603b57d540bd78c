import Diagnosis
import LunaClient
package import UplinkProtocol

/// A client of a locate service (UPLINK.md, 6).
package struct LocateClient: Sendable {
  /// The address of the service.
  package let url: String
  /// Where the server is to be; nil for wherever.
  package var site: String?
  /// A file of certificates (PEM) to trust instead of those of the system.
  package var authorities: String?
  /// How long an access may take to open.
  var openLimit = Duration.seconds(LocateSession.openLimit)

  /// A client of a service.
  package init(_ url: String) { self.url = url }

  /// Locates a server, and opens the access to it.
  ///
  /// - Throws: ``UplinkProtocol/LocateError``.
  package func locate() async throws(LocateError) -> AccessChannel {
    var session = LocateSession(url, site: site)
    var channel: AccessChannel?
    let start = ContinuousClock.now
    var event = LocateEvent.begin
    while let action = session.take(event, at: start.duration(to: .now) / .seconds(1)) {
      switch action {
      case .get(let url): event = await ask(url)
      case .open(let machine):
        channel = await AccessChannel.open(machine, authorities: authorities, limit: openLimit)
        event = channel == nil ? .notOpened : .opened
      case .located:
        guard let channel else { throw LocateError(.accessRefused) }
        return channel
      case .failed(let error): throw error
      }
    }
    throw LocateError(.accessRefused)
  }

  private func ask(_ url: String) async -> LocateEvent {
    var configuration = ClientConfiguration(url: url)
    // It tells what is near to whoever asks.
    configuration.proxy = "-"
    configuration.certificateAuthorities = authorities
    configuration.answerLimit = LocateAnswer.size
    do throws(HTTPError) {
      let answer = try await HTTPClient(configuration).send("GET", url)
      return .answered(status: answer.status, answer.body)
    } catch {
      return .unanswered(error.reason)
    }
  }
}
