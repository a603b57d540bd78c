import LunaJSON

/// Comma-separated values of what JSON lines tell: the columns are fields of the lines, under their names, so
/// that the two cannot call a thing differently.
package enum CSVRows {
  /// Appends the names of the fields, then a row for each line. A field of an object within a line has the names
  /// of both, as `newest.time`.
  ///
  /// - Parameter lines: appends the JSON lines.
  package static func append(
    _ fields: [String], to output: OutputBuffer, of lines: (OutputBuffer) -> Void
  ) {
    let buffer = OutputBuffer()
    lines(buffer)
    append(fields, to: output, from: buffer)
  }

  /// The same of JSON lines that are there already, which are taken out.
  package static func append(
    _ fields: [String], to output: OutputBuffer, from lines: OutputBuffer
  ) {
    CSVLine.append(fields, to: output)
    for line in lines.take().split(separator: UInt8(ascii: "\n")) {
      guard case .object(let object)? = try? JSONReader.read(Array(line)) else { continue }
      CSVLine.append(fields.map { text(value($0, of: object)) }, to: output)
    }
  }

  private static func value(_ field: String, of line: JSONObject) -> JSONValue? {
    var value: JSONValue? = .object(line)
    for name in field.split(separator: ".") {
      guard case .object(let object)? = value else { return nil }
      value = object[String(name)]
    }
    return value
  }

  /// A value as a cell; what is not known is an empty one.
  private static func text(_ value: JSONValue?) -> String {
    switch value {
    case nil, .null?: ""
    case .string(let text)?: text
    case .array(let elements)?: elements.map(text).joined(separator: ";")
    case let value?: value.description
    }
  }
}
