import LunaJSON
import SafeText
import WebAccess

/// Somebody who has just signed in at an issuer of others, as that one says.
struct ForeignPerson: Hashable, Sendable {
  let subject: ForeignSubject
  /// What they are called there; it can change hands, and is only shown and offered as a name.
  let label: String?
  /// What the rules of the issuer give them; nil where none fits.
  let role: AccountRole?
  /// Whether there are rules at all.
  let hasRules: Bool

  init(_ subject: ForeignSubject, label: String?, role: AccountRole?, hasRules: Bool) {
    self.subject = subject
    self.label = label
    self.role = role
    self.hasRules = hasRules
  }

  init(_ subject: ForeignSubject, _ claims: JSONObject, rules: [RoleRule]) {
    var label: String?
    if case .string(let text)? = claims["preferred_username"] {
      // Only ever shown, to an admin who gives it rights: what turns the text beside it is left out, too.
      let kept = text.unicodeScalars.filter { !TextScan.isUnsafe($0.value) }.prefix(100)
      label = kept.isEmpty ? nil : String(String.UnicodeScalarView(kept))
    }
    self.init(
      subject, label: label, role: rules.first { $0.fits(claims) }?.role,
      hasRules: !rules.isEmpty)
  }

  /// Whether claims leave open what somebody is called, or whether a rule fits that goes before those that do.
  static func isOpen(_ claims: JSONObject, rules: [RoleRule]) -> Bool {
    claims["preferred_username"] == nil
      || rules.prefix { !$0.fits(claims) }.contains { !$0.isAnswered(by: claims) }
  }

  /// The name of an account that they would have, with a number behind it where others have it already.
  ///
  /// - Parameter number: from 1.
  func accountName(_ number: Int) -> String {
    // What stands behind an @ is the address of mail.
    let word = (label ?? "").prefix { $0 != "@" }.lowercased()
    let base = String(
      word.unicodeScalars.prefix(58).map { scalar -> Character in
        let isKept = scalar == "." || scalar.isASCII && AccountRule.isName(String(scalar))
        return isKept ? Character(scalar) : "-"
      })
    let name = base.allSatisfy { "._-".contains($0) } ? "person" : base
    return number == 1 ? name : "\(name)-\(number)"
  }
}
