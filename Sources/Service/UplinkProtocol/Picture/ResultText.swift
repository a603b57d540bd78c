import LunaJSON
import SafeText

/// A stored result for a person, in sentences of English.
package struct ResultText {
  private let members: JSONObject

  /// A result as it is stored: JSON text. What cannot be read says nothing.
  package init(_ document: String) {
    let json = try? JSONReader.read(Array(document.utf8))
    if case .object(let members)? = json { self.members = members } else { members = JSONObject() }
  }

  /// What it says, in a word.
  package var verdict: String { text("verdict") ?? text("matched") ?? text("reason") ?? "none" }

  /// What was compared, and where.
  package var subject: String {
    guard let profile = text("profile") else { return isTrue("imported") ? "imported" : "" }
    return text("server").map { "\(profile) to \($0)" } ?? profile
  }

  /// All of it.
  package var lines: [String] {
    var lines = isTrue("simulated") ? ["Simulated: this says nothing of a network."] : []
    lines.append(sentence)
    lines += recognised
    if let place { lines.append(place) }
    if let seen { lines.append(seen) }
    if case .object(let original)? = members["original"] { lines.append(rule(original)) }
    if let problem = text("serverProblem") { lines.append("Of the server: \(problem).") }
    return lines
  }

  private var sentence: String {
    let subject = self.subject
    let speed = ratio.map { " at \($0) of other traffic's speed" }
    switch text("verdict") {
    case "fair"?: return "Fair: \(subject) runs\(speed ?? " as other traffic does")."
    case "throttled"?: return "Throttled: \(subject) runs\(speed ?? " slower")."
    case "prioritised"?: return "Prioritised: \(subject) runs\(speed ?? " faster")."
    case "blocked"?:
      return "Blocked: \(subject) does not come through, and other traffic does."
    case "inconclusive"?:
      let reason = text("reason").map { " (\($0))" } ?? ""
      return "Inconclusive\(reason): \(subject) runs\(speed ?? " in a way that does not tell")."
    default:
      if members["located"] != nil { return "No verdict: the servers do not say the same." }
      if members["probes"] != nil { return inspection }
      return text("reason").map { "No verdict: \($0)." } ?? "No verdict: one side alone."
    }
  }

  /// What an inspection came to.
  private var inspection: String {
    let rest = text("reason").map { ", and not everything is known (\($0))" } ?? ""
    return switch text("matched") {
    case "bytes"?, "fields"?: "Found: what the network recognises of \(subject)\(rest)."
    case "nothing"?:
      "Nothing found: what was changed of \(subject) is nothing that the network recognises."
    default: "Nothing is known of what the network recognises (\(text("reason") ?? "none"))."
    }
  }

  /// The fields and bytes that an inspection found, a line each, and how sure that is.
  private var recognised: [String] {
    guard let probes = number("probes", members) else { return [] }
    var lines: [String] = []
    for field in objects("fields") where field["matched"] == .bool(true) {
      lines.append("By the field \(text("field", field) ?? "").")
    }
    for span in objects("spans") {
      guard case .integer(let left)? = span["left"], case .integer(let right)? = span["right"],
        let packet = number("packet", span)
      else { continue }
      let place = right &- left > 1 ? "bytes \(left)-\(right &- 1)" : "byte \(left)"
      let some = span["exact"] == .bool(false) ? "some of " : ""
      let way = number("alternative", span).map { ", way \($0)" } ?? ""
      let bytes = "\"\(text("text", span) ?? "")\" (\(text("hex", span) ?? ""))"
      lines.append("Packet \(packet), \(some)\(place): \(bytes)\(way).")
    }
    var certainty = ""
    // Without any there is nothing that could be true.
    if probes != "0", case .real(let value)? = members["certainty"] {
      certainty = ": all of it is true with \((value * 1000).rounded() / 10) % at least"
    }
    return lines + ["\(probes) \(probes == "1" ? "probe" : "probes")\(certainty)."]
  }

  /// Where the difference is made; nil where nobody has looked.
  private var place: String? {
    switch text("located") {
    case "common"?: "Where: in what the paths to both servers share."
    case "separate"?: "Where: on the path to each server by itself."
    case "perConnection"?: "Where: nobody knows, for each connection is limited by itself."
    case "noEvidence"?: "Where: nothing speaks for what the paths to both servers share."
    case "inconclusive"?: "Where: what was measured does not tell."
    default: nil
    }
  }

  /// What a check by pairs would have seen, and what it would not; nil for other ones.
  private var seen: String? {
    guard members["power"] != nil else { return nil }
    let slowdown =
      number("detectable", members).map { "A slowdown of \($0) would have been seen" }
      ?? "No slowdown would have been seen for sure"
    guard let rate = number("rateSeen", members) else { return slowdown + "." }
    return "\(slowdown), a limit above \(rate) Mbit/s not."
  }

  /// The ratio of the speeds, with its interval where there is one.
  private var ratio: String? {
    guard let ratio = number("ratio", members) else { return nil }
    guard let low = number("low", members), let high = number("high", members) else { return ratio }
    return "\(ratio) (\(low) to \(high))"
  }

  private func rule(_ original: JSONObject) -> String {
    var parts: [String] = []
    if let area = number("area", original) { parts.append("area \(area)") }
    if let p = number("ks2p", original) { parts.append("p \(p)") }
    var word = "nothing"
    if case .string(let verdict)? = original["verdict"] { word = EscapedText.line(verdict) }
    return "By the rule of Wehe's programs: \(word)"
      + (parts.isEmpty ? "." : " (\(parts.joined(separator: ", "))).")
  }

  private func text(_ name: String) -> String? { text(name, members) }

  private func text(_ name: String, _ object: JSONObject) -> String? {
    guard case .string(let text)? = object[name] else { return nil }
    return EscapedText.line(text)
  }

  private func objects(_ name: String) -> [JSONObject] {
    guard case .array(let elements)? = members[name] else { return [] }
    return elements.compactMap { element in
      if case .object(let object) = element { object } else { nil }
    }
  }

  private func isTrue(_ name: String) -> Bool { members[name] == .bool(true) }

  /// Two digits after the point, or what is left of less.
  private func number(_ name: String, _ object: JSONObject) -> String? {
    switch object[name] {
    case .integer(let value)?: return "\(value)"
    case .real(let value)?:
      let rounded = (value * 100).rounded() / 100
      return rounded == 0 && value != 0 ? "\(value)" : "\(rounded)"
    default: return nil
    }
  }
}
