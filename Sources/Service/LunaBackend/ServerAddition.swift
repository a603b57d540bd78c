package import HTTPServer

/// What a backend serves besides its own endpoints, for who starts it.
package struct ServerAddition: Sendable {
  /// Changes what the server takes.
  let adjust: @Sendable (inout HTTPLimits) -> Void
  /// Answers a request; nil for one that is none of its own.
  let answer:
    @Sendable (HTTPRequest, _ holder: @Sendable () async -> String?) async -> HTTPResponse?

  /// An addition.
  ///
  /// - Parameters:
  ///   - adjust: changes what the server takes.
  ///   - answer: answers a request; nil for one that is none of its own. `holder` says who asks: a name for a gateway,
  ///     an owner or an account that shows a token; nil for anybody else.
  package init(
    adjust: @escaping @Sendable (inout HTTPLimits) -> Void,
    answer:
      @escaping @Sendable (HTTPRequest, _ holder: @Sendable () async -> String?) async
      -> HTTPResponse?
  ) {
    self.adjust = adjust
    self.answer = answer
  }
}
