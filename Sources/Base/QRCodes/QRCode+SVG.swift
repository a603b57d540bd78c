import SafeText

extension QRCode {
  /// A label as SVG: the code, and lines of text below it.
  ///
  /// - Parameter title: what a reader of screens says.
  package func svg(title: String, lines: [String] = []) -> String {
    let side = width + 2 * QRCode.margin
    let lineHeight = 4
    let height = side + lines.count * lineHeight + (lines.isEmpty ? 0 : 1)
    var path = ""
    for row in 0..<width {
      var column = 0
      while column < width {
        let start = column
        while isDark(row, column) { column += 1 }
        if column > start {
          path +=
            "M\(start + QRCode.margin) \(row + QRCode.margin)h\(column - start)v1h-\(column - start)z"
        }
        column += 1
      }
    }
    var svg = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(side) \(height)" \
      width="\(side)mm" height="\(height)mm" role="img">
      <title>\(XMLText.escaped(title))</title>
      <rect width="\(side)" height="\(height)" fill="#fff"/>
      <path d="\(path)" fill="#000" shape-rendering="crispEdges"/>

      """
    for (index, line) in lines.enumerated() {
      // Long lines are made narrower: a name may have 80 characters.
      let longest = side - 2
      let fit =
        line.unicodeScalars.count * 2 > longest
        ? " textLength=\"\(longest)\" lengthAdjust=\"spacingAndGlyphs\"" : ""
      svg += """
        <text x="\(Double(side) / 2)" y="\(side + (index + 1) * lineHeight - 2)" font-size="3" \
        text-anchor="middle" font-family="sans-serif"\(fit)>\(XMLText.escaped(line))</text>

        """
    }
    return svg + "</svg>\n"
  }
}
