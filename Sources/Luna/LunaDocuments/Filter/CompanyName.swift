import Bluetooth
import SafeText

/// Names of companies as people say them.
package enum CompanyName {
  private static let legalForms: Set<String> = [
    "ab", "ag", "aps", "as", "a/s", "a.s.", "bv", "b.v.", "co", "co.", "co.,ltd", "co.,ltd.",
    "co.ltd", "co.ltd.", "company", "corp", "corp.", "corporation", "gmbh", "inc", "inc.",
    "incorporated", "kg", "kgaa", "limited", "llc", "llc.", "llp", "ltd", "ltd.", "nv", "n.v.",
    "oy", "oyj", "plc", "pte", "pte.", "pty", "pty.", "sa", "s.a.", "sarl", "sas", "se", "sl",
    "s.l.", "spa", "s.p.a.", "srl", "s.r.l.", "s.r.o.", "&",
  ]

  /// The assigned names that a person means by `name`: with or without the legal form, capitals or not.
  static func all(calledLike name: String) -> [String] {
    let name = name.lowercased()
    return CompanyIdentifier.allNames.filter {
      let lower = $0.lowercased()
      return lower == name || withoutLegalForm($0).lowercased() == name
    }
  }

  /// The assigned name that is nearest to a mistyped one, without its legal form.
  static func nearest(to name: String) -> String? {
    Suggestion.nearest(to: name, among: CompanyIdentifier.allNames.map { withoutLegalForm($0) })
  }

  /// The name without what tells the kind of company: `Apple` for `Apple, Inc.`.
  package static func withoutLegalForm(_ name: String) -> String {
    var words = name.split(separator: " ")
    while words.count > 1, let last = words.last {
      let word = last.hasSuffix(",") ? last.dropLast() : last
      guard legalForms.contains(word.lowercased()) else { break }
      words.removeLast()
    }
    let short = words.joined(separator: " ")
    return short.hasSuffix(",") ? String(short.dropLast()) : short
  }
}
