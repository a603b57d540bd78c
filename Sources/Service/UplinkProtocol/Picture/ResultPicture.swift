import Glibc
package import LunaJSON
import SafeText

/// A picture of a stored result (SVG): pairs with their interval, or rates over time; the distributions of both kinds,
/// and their numbers. It has no script, and is light or dark as its reader is.
package struct ResultPicture {
  private static let style =
    "svg{background:#fff;color:#222;font:12px sans-serif}text{fill:currentColor}.h{font-weight:bold}"
    + ".axis{fill:none;stroke:#999}polyline{fill:none;stroke-width:1.5}"
    + ".original{stroke:#c2410c}.control{stroke:#1d4ed8}circle{fill:#c2410c}.zero{stroke:#999}"
    + ".band{fill:#c2410c;opacity:.15}.mark{font-size:64px;opacity:.15}"
    + "@media(prefers-color-scheme:dark){svg{background:#111;color:#eee}"
    + ".original{stroke:#fb923c}.control{stroke:#60a5fa}circle{fill:#fb923c}.band{fill:#fb923c}}"

  private let result: JSONObject
  private let samples: ReplayFile?

  /// A picture.
  ///
  /// - Parameters:
  ///   - result: as it is stored.
  ///   - samples: those of replays; nil for a result that has none.
  package init(_ result: JSONObject, samples: ReplayFile?) {
    self.result = result
    self.samples = samples
  }

  /// The document.
  package var text: String {
    let isSimulated = result["simulated"] == .bool(true)
    let heading =
      "\(word("verdict") ?? word("matched") ?? word("reason") ?? "no verdict"): "
      + (word("profile") ?? "imported")
      + (isSimulated ? " (simulated)" : "")
    let numbers = rows
    var elements: [String] = []
    var top = 40.0
    for panel in panels(&top) { elements += panel.elements }
    for row in numbers {
      elements.append("<text x=\"48\" y=\"\(PicturePanel.short(top + 14))\">\(row)</text>")
      top += 18
    }
    let height = PicturePanel.short(top + 20)
    if isSimulated {
      elements.append("<text class=\"mark\" x=\"140\" y=\"160\">simulated</text>")
    }
    let title = XMLText.escaped(heading)
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-labelledby=\"t d\" "
      + "viewBox=\"0 0 \(PicturePanel.short(PicturePanel.size.width)) \(height)\">"
      + "<title id=\"t\">\(title)</title><desc id=\"d\">\(numbers.joined(separator: ". "))</desc>"
      + "<style>\(ResultPicture.style)</style>"
      + "<text class=\"h\" x=\"48\" y=\"24\">\(title)</text>\(elements.joined())</svg>"
  }

  private func panels(_ top: inout Double) -> [PicturePanel] {
    var panels: [PicturePanel] = []
    func add(_ panel: PicturePanel?) {
      guard let panel else { return }
      panels.append(panel)
      top += PicturePanel.size.height
    }
    add(pairs(top))
    add(curves(top))
    add(distributions(top))
    return panels
  }

  /// How much faster each original was, as a logarithm, with the interval of their mean.
  private func pairs(_ top: Double) -> PicturePanel? {
    var values: [Double: [String: Double]] = [:]
    for slot in slots {
      guard let pair = number(slot["pair"]), let x = number(slot["x"]) else { continue }
      values[pair, default: [:]][kind(slot)] = x
    }
    let points = values.compactMap { pair, kinds in
      kinds["original"].flatMap { original in kinds["control"].map { (pair, original - $0) } }
    }.sorted { $0.0 < $1.0 }
    guard points.count > 1 else { return nil }
    let reach = max(0.5, points.reduce(0) { max($0, abs($1.1)) })
    var panel = PicturePanel(
      "Pairs: ln of the original's speed by the control's", top: top,
      x: 0...points[points.count - 1].0 + 1, y: -reach...reach)
    if let low = number(result["low"]), let high = number(result["high"]), low > 0, high > 0 {
      panel.band(log(low), log(high))
    }
    panel.line([(0, 0), (points[points.count - 1].0 + 1, 0)], "zero")
    for point in points { panel.dot(point, "pair") }
    return panel
  }

  /// The rates of replays, or of a usual slot of each kind, over time.
  private func curves(_ top: Double) -> PicturePanel? {
    guard let samples else { return nil }
    let sides = [("original", samples.original)] + (samples.control.map { [("control", $0)] } ?? [])
    let end = sides.reduce(0) { max($0, $1.1.times.last ?? 0) }
    let most = sides.reduce(0) { max($0, $1.1.rates.max() ?? 0) }
    var panel = PicturePanel("Mbit/s over time, s", top: top, x: 0...end, y: 0...most)
    for (kind, side) in sides { panel.line(Array(zip(side.times, side.rates)), kind) }
    return panel
  }

  /// Which share of both kinds is at most so fast.
  private func distributions(_ top: Double) -> PicturePanel? {
    let sides = ["original", "control"].map { ($0, rates($0).sorted()) }
    guard sides.contains(where: { $0.1.count > 1 }) else { return nil }
    let most = sides.reduce(0) { max($0, $1.1.last ?? 0) }
    var panel = PicturePanel(
      "Share that is at most so fast, Mbit/s", top: top, x: 0...most, y: 0...1)
    for (kind, rates) in sides {
      panel.line(
        rates.enumerated().map { ($1, Double($0 + 1) / Double(rates.count)) }, kind)
    }
    return panel
  }

  /// What the numbers are.
  private var rows: [String] {
    ["original", "control"].compactMap { kind in
      let rates = rates(kind)
      guard let low = rates.min(), let high = rates.max(), let median = Samples.median(rates) else {
        return nil
      }
      let numbers = [
        ("mean", Samples.mean(rates)), ("median", median), ("low", low), ("high", high),
      ].map { "\($0.0) \(PicturePanel.short($0.1))" }
      return "\(kind), Mbit/s: \(numbers.joined(separator: ", "))"
    }
  }

  private var slots: [JSONObject] {
    guard case .array(let slots)? = result["slots"] else { return [] }
    return slots.compactMap { if case .object(let slot) = $0 { slot } else { nil } }
  }

  /// The rates of a kind: those of the slots of pairs, else those of samples.
  private func rates(_ kind: String) -> [Double] {
    if let samples, slots.count <= 2 {
      return (kind == "original" ? samples.original : samples.control)?.held ?? []
    }
    return slots.filter { self.kind($0) == kind }.compactMap { number($0["mbps"]) }
  }

  private func kind(_ slot: JSONObject) -> String {
    if case .string(let kind)? = slot["kind"] { kind } else { "" }
  }

  private func word(_ name: String) -> String? {
    if case .string(let text)? = result[name] { text } else { nil }
  }

  private func number(_ value: JSONValue?) -> Double? {
    switch value {
    case .integer(let number)?: Double(number)
    case .real(let number)?: number
    default: nil
    }
  }
}
