import HTTPServer
import LunaJSON
import WebAccess

/// Something of a list, with where it stands.
struct ListedObject: Sendable {
  let id: String
  let value: JSONValue
  /// The line of the file; nil for what people have made.
  let line: Int?
  /// How it is with a rule; nil for all else.
  var status: JSONValue?

  /// Who keeps it.
  var managedBy: JSONValue { line.map { .string("file:\($0)") } ?? "web" }

  var json: JSONValue {
    guard case .object(var object) = value else { return value }
    if object["id"] == nil { object.append("id", .string(id)) }
    object.append("managedBy", managedBy)
    if let status { object.append("status", status) }
    return .object(object)
  }

  /// Refuses a change of what stands in the file, or of what somebody else has changed meanwhile.
  func check(_ call: HomeCall) throws {
    if let line {
      throw ProblemDocument(
        409, "managedByFile", "This stands in the file.",
        detail: "change it on line \(line) of the file, or make a copy with another id",
        members: ["line": .integer(Int64(line))])
    }
    guard let tag = call.request.head.first("if-match") else {
      throw ProblemDocument(
        428, "ifMatch", "If-Match is missing.", detail: "send the ETag that GET gave")
    }
    let own = try HomeObject.tag(of: value)
    // Any of a list will do (RFC 9110, 13.1.1); a weak one is never the same.
    let tags = tag.split(separator: ",").map { $0.drop { $0 == " " }.prefix { $0 != " " } }
    guard tag == "*" || tags.contains(where: { $0 == own }) else {
      throw ProblemDocument(
        412, "changed", "Somebody has changed it meanwhile.", detail: "get it again first")
    }
  }
}
