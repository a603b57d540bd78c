import LunaClient
public import UplinkProtocol

extension WeheClient {
  /// Asks for what the server makes of a test whose replays are both done. It gives that once: whoever has it
  /// stores it first.
  ///
  /// - Parameter plan: that of either replay.
  /// - Throws: `HTTPError` when the HTTP library is missing, `CancellationError` when the task is cancelled
  ///   while it waits.
  public func result(
    of plan: ReplayPlan, clock: any Clock<Duration> = ContinuousClock()
  ) async throws -> AnalysisOutcome {
    let (http, url) = try results()
    var session = AnalysisSession(plan)
    var actions = session.take(.begin)
    while let action = actions.popLast() {
      switch action {
      case .wait(let seconds):
        try await clock.sleep(for: .seconds(seconds))
        actions = session.take(.timeIsOver)
      case .post(let form):
        let answer = await WeheClient.ask(http, "POST", url, Array(form.utf8))
        actions = session.take(answer)
      case .get(let query):
        let answer = await WeheClient.ask(http, "GET", "\(url)?\(query)", nil)
        actions = session.take(answer)
      case .finish(let outcome): return outcome
      }
    }
    preconditionFailure("a question without an end")
  }

  /// Who is asked for results, and where.
  func results() throws(HTTPError) -> (http: HTTPClient, url: String) {
    let scheme = authorities == nil ? "http" : "https"
    let url = "\(scheme)://\(server.urlText):\(resultsPort)\(AnalysisSession.path)"
    var configuration = ClientConfiguration(url: url)
    // It is the way to this server that is tested.
    configuration.proxy = "-"
    configuration.certificateAuthorities = authorities
    // Servers of Wehe's have certificates with whatever name.
    configuration.checksName = authorities == nil
    configuration.totalTimeout = .seconds(AnalysisSession.answerLimit)
    configuration.connectTimeout = configuration.totalTimeout
    configuration.answerLimit = AnalysisSession.answerSize
    return (try HTTPClient(configuration), url)
  }

  static func ask(
    _ http: HTTPClient, _ method: String, _ url: String, _ form: [UInt8]?
  ) async -> AnalysisEvent {
    // On a connection that was kept, a request would be sent twice when the server has closed it.
    var headers = [HTTPField("Connection", "close")]
    if form != nil {
      headers.append(HTTPField("Content-Type", "application/x-www-form-urlencoded"))
    }
    do throws(HTTPError) {
      return .answered(try await http.send(method, url, headers: headers, body: form).body)
    } catch {
      return .unanswered
    }
  }
}
