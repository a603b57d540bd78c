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

  /// The revision that an edit is of: in the body, or in the header If-Match; nil for whichever there is.
  func revision(of edit: RecordEdit) throws(ProblemDocument) -> Int64? {
    if let revision = edit.revision { return revision }
    guard request.head.first("if-match") != nil else {
      throw ProblemDocument(
        428, "revisionMissing", "It must be said which revision is edited.",
        detail: "send `revision`, or the ETag as If-Match")
    }
    guard let named = neededRevisions else { return nil }
    // What has changed since the newest of them is merged.
    guard let newest = named.max(), newest >= 0 else {
      throw ProblemDocument(412, "ifMatch", "If-Match is not the ETag of a record.")
    }
    return newest
  }

  /// The revisions of which one has to be there, as the header If-Match says; nil for whichever there is.
  var neededRevisions: [Int64]? {
    guard let text = request.head.first("if-match"), text != "*" else { return nil }
    // A weak one is never the same (RFC 9110, 13.1.1): its W is of no number.
    return text.split(separator: ",").compactMap { tag in
      Int64(tag.filter { !"\" \t".contains($0) })
    }
  }
}
