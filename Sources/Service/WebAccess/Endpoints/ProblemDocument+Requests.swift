import Diagnosis
package import LunaJSON

extension ProblemDocument {
  /// A body of a form that is not taken.
  package static func mediaType(_ detail: String) -> ProblemDocument {
    ProblemDocument(
      415, "mediaType", "The form of the body is not supported.", detail: detail)
  }

  /// A body that is not what an endpoint takes.
  package static func malformed(_ error: FormatError) -> ProblemDocument {
    ProblemDocument(
      400, "malformedBody", "The body is not what this endpoint takes.", detail: error.description)
  }

  /// Nothing is there, or nothing for who calls.
  package static func notFound(_ what: String) -> ProblemDocument {
    ProblemDocument(404, "notFound", "There is no such thing.", detail: what)
  }
}
