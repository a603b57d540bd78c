import LunaJSON
import WebAccess

extension ProblemDocument {
  static let accountName = ProblemDocument(
    422, "name", "This cannot be a name.",
    detail: AccountRule.nameWords)

  static let passwordRule = ProblemDocument(
    422, "password", "This cannot be a password.",
    detail: "at least 12 characters, at most 256 bytes")

  static let passwordWrong = ProblemDocument(
    403, "passwordWrong", "The password is wrong.", detail: nil)

  static let codeWrong = ProblemDocument(
    422, "code", "The code is wrong.", detail: "give the one that the authenticator shows now")

  /// Why something was not done with accounts.
  init(_ refusal: AccountRefusal) {
    switch refusal {
    case .unknown: self = .notFound("there is no such account")
    case .nameTaken:
      self.init(409, "nameTaken", "An account has this name.", detail: nil)
    case .lastAdmin:
      self.init(
        409, "lastAdmin", "This is the last admin.",
        detail: "give another account the role admin first")
    case .link:
      self.init(403, "link", "This link is not good.", detail: nil)
    case .secondFactor:
      self.init(
        409, "secondFactor", "There is a second factor already, or none.",
        detail: "turn the present one off first, or begin with a new secret")
    case .identityTaken:
      self.init(409, "identityTaken", "This identity belongs to another account.", detail: nil)
    }
  }
}
