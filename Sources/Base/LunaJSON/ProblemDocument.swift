public import Diagnosis
public import SafeText

/// Why a request was refused (RFC 9457, `application/problem+json`).
public struct ProblemDocument: Diagnosed, Hashable {
  /// What the header Content-Type says (RFC 9457, 6.1).
  public static let mediaType = "application/problem+json"
  /// What `type` begins with; the code follows.
  public static let typePrefix = "urn:luna:problem:"
  /// What `instance` begins with; the name of the request follows.
  public static let instancePrefix = "urn:luna:request:"

  /// The status of the response, 100 to 599.
  public let status: Int
  /// A word for programs, such as `tooManyEvents`.
  public let code: String
  /// What this kind of problem is.
  public let title: ForeignText
  /// What was wrong this time, and what to do.
  public let detail: ForeignText?
  /// When to try again, s; also in the header Retry-After.
  public let retryAfter: Int?
  /// What programs want to know besides, such as a hint, where in a text a mistake is, or what is in
  /// conflict with what.
  public var members: JSONObject

  /// What a backend says.
  public var diagnosis: Diagnosis { Diagnosis(detail.map { "\(title): \($0)" } ?? "\(title)") }

  /// A problem to answer with.
  ///
  /// - Parameters:
  ///   - code: a word of up to 64 letters, digits, `-` and `_`, the same for each time it happens.
  ///   - title: what this kind of problem is, the same each time.
  ///   - detail: what is wrong this time.
  ///   - retryAfter: when to try again, s.
  public init(
    _ status: Int, _ code: String, _ title: String, detail: String? = nil, retryAfter: Int? = nil,
    members: JSONObject = JSONObject()
  ) {
    self.status = status
    self.code = code
    self.title = ForeignText(title)
    self.detail = detail.map { ForeignText($0) }
    self.retryAfter = retryAfter
    self.members = members
  }

  /// Reads what a server of any kind has answered; the code is empty where it says none.
  ///
  /// - Throws: where a member is missing or of another type, the status is not 100 to 599, the
  ///   detail has more than 2000 characters, or the code is no word of up to 64 characters.
  public init(json: JSONValue) throws(FormatError) {
    let members = try JSONMembers(json, name: "the problem")
    status = Int(try members.integer("status", in: 100...599))
    title = ForeignText(try members.string("title"))
    detail = try members.optionalString("detail", limit: 2000).map { ForeignText($0) }
    code = try members.optional("code") == nil ? "" : members.word("code", limit: 64)
    retryAfter = nil
    var others = JSONObject()
    for member in members.object.members where !ProblemDocument.common.contains(member.name) {
      others.append(member.name, member.value)
    }
    self.members = others
  }

  /// The members that every problem may have.
  private static let common = ["type", "title", "status", "code", "detail", "instance"]

  /// The problem as JSON.
  ///
  /// - Parameter instance: names the request, for those who look into the log.
  public func json(instance: String? = nil) -> JSONValue {
    var object: JSONObject = [
      "type": .string(ProblemDocument.typePrefix + code), "title": .string(title.raw),
      "status": .integer(Int64(status)), "code": .string(code),
    ]
    if let detail { object.append("detail", .string(detail.raw)) }
    if let instance { object.append("instance", .string(instance)) }
    object.members += members.members
    return .object(object)
  }
}
