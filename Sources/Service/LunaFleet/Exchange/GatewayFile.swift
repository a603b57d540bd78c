import Diagnosis
public import LunaJSON
import SafeText

/// Lists of gateways in files: JSON lines, or CSV with a line of names.
public enum GatewayFile {
  /// How many gateways are imported at once.
  public static let limit = 1000
  /// The columns of CSV; `place` is its text, `tags` are parted by blanks.
  public static let columns = [
    "id", "key", "name", "site", "tags", "latitude", "longitude", "place", "source", "accuracy",
    "manufacturer", "model", "mac", "ip", "note", "state", "verdict", "version", "seenAt",
    "createdAt",
  ]

  /// Reads a file; the first character that is no blank says which kind it is.
  ///
  /// - Throws: all that is wrong, with the lines.
  public static func read(_ bytes: [UInt8]) throws(FieldErrors) -> [GatewayLine] {
    guard var text = String(validating: bytes, as: UTF8.self) else {
      throw FieldErrors([FleetError(.importLine, "the file is not UTF-8")])
    }
    // The mark that spreadsheets begin UTF-8 with.
    if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
    let first = text.unicodeScalars.first { !$0.properties.isWhitespace }
    let lines = first == "{" ? try readLines(text) : try readTable(text)
    guard lines.count <= limit else {
      throw FieldErrors([
        FleetError(.importLine, "the file has more than \(limit) gateways", position: limit + 1)
      ])
    }
    return lines
  }

  private static func readLines(_ text: String) throws(FieldErrors) -> [GatewayLine] {
    var (lines, errors): ([GatewayLine], [FleetError]) = ([], [])
    let rows = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, row) in rows.enumerated() where row.contains(where: { $0 > 0x20 }) {
      do throws(JSONError) {
        let value = try JSONReader.read(Array(row), rules: .strict(elements: 100))
        if case .object(let fields) = value {
          lines.append(GatewayLine(line: index + 1, fields: fields))
        } else {
          errors.append(FleetError(.importLine, "the line is no object", position: index + 1))
        }
      } catch {
        errors.append(FleetError(.importLine, error.description, position: index + 1))
      }
    }
    guard errors.isEmpty else { throw FieldErrors(errors) }
    return lines
  }

  private static func readTable(_ text: String) throws(FieldErrors) -> [GatewayLine] {
    var rows = try CSVReader.rows(text)
    guard !rows.isEmpty else { return [] }
    let names = rows.removeFirst().cells
    // As spreadsheets write it where a comma stands in numbers.
    if names.count == 1,
      let other = names[0].unicodeScalars.first(where: { $0 == ";" || $0 == "\t" })
    {
      throw FieldErrors([
        FleetError(
          .importLine,
          "the cells are parted by \(other == ";" ? "semicolons" : "tabs"), not by commas",
          position: 1)
      ])
    }
    var errors = names.filter { !columns.contains($0) }.map {
      FleetError(.importLine, "there is no column \(ForeignText($0))", position: 1)
    }
    if Set(names).count < names.count {
      errors.append(FleetError(.importLine, "a column is there twice", position: 1))
    }
    guard errors.isEmpty else { throw FieldErrors(errors) }
    var lines: [GatewayLine] = []
    for row in rows {
      guard row.cells.count == names.count else {
        errors.append(
          FleetError(
            .importLine, "the line has \(row.cells.count) cells, not \(names.count)",
            position: row.line))
        continue
      }
      let cells = Dictionary(zip(names, row.cells)) { first, _ in first }
      lines.append(GatewayLine(line: row.line, fields: fields(cells.filter { !$0.value.isEmpty })))
    }
    guard errors.isEmpty else { throw FieldErrors(errors) }
    return lines
  }

  private static func fields(_ cells: [String: String]) -> JSONObject {
    var (fields, place) = (JSONObject(), JSONObject())
    for name in ["name", "site", "manufacturer", "note"] {
      if let cell = cells[name] { fields.append(name, .string(cell)) }
    }
    if let tags = cells["tags"] {
      fields.append("tags", .array(tags.split(separator: " ").map { .string(String($0)) }))
    }
    for name in ["latitude", "longitude", "accuracy"] {
      // What is no number is refused as such.
      if let cell = cells[name] {
        place.append(name, Double(cell).map { .real($0) } ?? .string(cell))
      }
    }
    if let text = cells["place"] { place.append("text", .string(text)) }
    if !place.members.isEmpty {
      if let source = cells["source"] { place.append("source", .string(source)) }
      fields.append("place", .object(place))
    }
    return fields
  }

  /// The line of names of CSV.
  public static var head: String { CSVCell.row(columns) }

  /// A gateway, as the API tells it, as a row of CSV; its note keeps its lines.
  public static func row(_ gateway: JSONObject) -> String {
    func cell(_ value: JSONValue?) -> String {
      switch value {
      case .string(let text)?: text
      case .array(let elements)?: elements.map { cell($0) }.joined(separator: " ")
      case nil, .null?: ""
      case .some(let value): value.description
      }
    }
    var place = JSONObject()
    if case .object(let object)? = gateway["place"] { place = object }
    return columns.map { column in
      switch column {
      case "latitude", "longitude", "source", "accuracy": CSVCell.written(cell(place[column]))
      case "place": CSVCell.written(cell(place["text"]))
      case "note": CSVCell.document(cell(gateway[column]))
      default: CSVCell.written(cell(gateway[column]))
      }
    }.joined(separator: ",")
  }
}
