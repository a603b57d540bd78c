import HTTPServer
import LunaJSON

extension API {
  /// How the backend calls itself as an issuer.
  ///
  /// - Throws: 403 where tokens could be read on the way, 404 where nobody signs in here.
  func issuerName() throws(ProblemDocument) -> String { try browsers.place().description }

  /// The same for what is sent to the issuer, which has no other name.
  ///
  /// - Throws: also 421 for another one.
  @discardableResult
  func issuerName(for call: APICall) throws(ProblemDocument) -> String {
    let name = try issuerName()
    try browsers.checkHost(call.request.head)
    return name
  }
}
