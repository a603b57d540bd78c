import HTTPServer
import LunaFleet
import LunaJSON

extension APICall {
  /// Who changes something, for the history.
  var actor: String { caller?.label ?? "" }

  /// The same call of somebody who was let in for a part of an endpoint.
  func with(_ caller: Caller?) -> APICall {
    APICall(
      request: request, endpoint: endpoint, caller: caller, parameters: parameters, time: time,
      began: began)
  }

  /// A parameter of the query.
  ///
  /// - Throws: 400 when it stands there twice.
  func query(_ name: String) throws(ProblemDocument) -> String? {
    let values = request.head.queryParameters.filter { $0.name == name }
    guard values.count <= 1 else {
      throw ProblemDocument(
        400, "query", "The query is malformed.", detail: "\(name) stands there twice")
    }
    return values.first?.value
  }

  /// A whole number of the query.
  func number(_ name: String, in range: ClosedRange<Int64>) throws(ProblemDocument) -> Int64? {
    guard let text = try query(name) else { return nil }
    guard let number = Int64(text), range.contains(number) else {
      throw ProblemDocument(
        400, "query", "The query is malformed.",
        detail: "\(name) is not a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// The members of the body.
  func object(_ api: API) throws -> JSONObject {
    try members(api).object
  }

  /// The revision that an edit is of: in the body, or in the header If-Match.
  func revision(of edit: RecordEdit) throws(ProblemDocument) -> Int64 {
    if let revision = edit.revision { return revision }
    guard let text = request.head.first("if-match") else {
      throw ProblemDocument(
        428, "revisionMissing", "It must be said which revision is edited.",
        detail: "send `revision`, or the ETag as If-Match")
    }
    guard let revision = Int64(text.filter { $0 != "\"" }), revision >= 0 else {
      throw ProblemDocument(400, "ifMatch", "If-Match is not the ETag of a record.")
    }
    return revision
  }
}
