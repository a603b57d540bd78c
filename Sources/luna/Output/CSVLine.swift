/// A line of comma-separated values (RFC 4180, but with the line ends of this system).
enum CSVLine {
  static func append(_ columns: [String], to output: OutputBuffer) {
    for (index, text) in columns.enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      guard text.utf8.contains(where: { ",\"\r\n".utf8.contains($0) }) else {
        output.append(text)
        continue
      }
      output.append(UInt8(ascii: "\""))
      for byte in text.utf8 {
        if byte == UInt8(ascii: "\"") { output.append(byte) }
        output.append(byte)
      }
      output.append(UInt8(ascii: "\""))
    }
    output.append(UInt8(ascii: "\n"))
  }
}
