package import HTTPServer
package import LunaJSON

extension HTTPResponse {
  /// Why a request was refused, and what would not be.
  package init(refusal problem: ProblemDocument, request id: String) {
    self.init(problem, request: id)
    if problem.status == 401 {
      // RFC 6750, 3.
      let error = problem.code == "invalidToken" ? ", error=\"invalid_token\"" : ""
      headers.append(("WWW-Authenticate", "Bearer realm=\"luna\"" + error))
    }
    if problem.status == 415 {
      headers.append(("Accept", "application/json, application/x-www-form-urlencoded"))
      headers.append(("Accept-Encoding", "gzip, identity"))
    }
  }
}
