import SafeText

/// A line of comma-separated values (RFC 4180, but with the line ends of this system).
package enum CSVLine {
  package static func append(_ columns: [String], to output: OutputBuffer) {
    for (index, text) in columns.enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      // Escaped and quoted by the cell; nothing is left to escape.
      output.append(text: CSVCell.written(text))
    }
    output.append(UInt8(ascii: "\n"))
  }
}
